;; Judges with Knossos what scripts/long/porcupine.sh --edn=NAME has printed. See docs/internals/histories.md.
;;
;;     java -cp CLASSPATH clojure.main tests/chaos/porcupine/knossos.clj FILE...
;;
;; CLASSPATH has src of a checkout of https://github.com/jepsen-io/knossos, and what that needs.

(require '[clojure.edn :as edn] '[clojure.java.io :as io] '[knossos.model :as model] '[knossos.wgl :as wgl])

;; The units taken, and the last fence. A lock without a fence says 0.
(defrecord Room [taken fence]
  knossos.model.Model
  (step [r op]
    (let [{:keys [room need] to :fence} (:value op)]
      (cond (= :release (:f op)) (assoc r :taken (- taken need))
            (> (+ taken need) room) (model/inconsistent "no room")
            (and (pos? to) (<= to fence)) (model/inconsistent "a fence that is no greater")
            :else (Room. (+ taken need) (max to fence))))))

;; A number, and the last fence.
(defrecord Counter [number fence]
  knossos.model.Model
  (step [_ op]
    (let [{to :number by :fence} (:value op)]
      (cond (not= to (inc number)) (model/inconsistent "an update is lost")
            (< by fence) (model/inconsistent "a write out of order")
            :else (Counter. to by)))))

(defn right? [file]
  (let [ops (with-open [in (java.io.PushbackReader. (io/reader file))]
              (doall (take-while some? (repeatedly #(edn/read {:eof nil} in)))))
        empty (if (= :txn (:f (first ops))) (->Counter 0 0) (->Room 0 0))
        history (mapv #(assoc % :value (select-keys % [:room :need :fence :number])) ops)
        right (true? (:valid? (wgl/analysis empty history)))]
    (println (format "%-7s %s: %d lines" (if right "ok" "FAILED") file (count history)))
    right))

(let [all (mapv right? *command-line-args*)]
  (shutdown-agents)
  (System/exit (if (every? true? all) 0 1)))
