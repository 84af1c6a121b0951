#!/usr/bin/env bash
#
# random.sh: stories that failed once, then the same random ones each time, for less than a minute; and the oracle finds
# what is not so.

set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/long/random.sh --lies
scripts/long/random.sh tests/random/stories/*.php
scripts/long/random.sh --seed=1 --stories=100 --seconds=25
