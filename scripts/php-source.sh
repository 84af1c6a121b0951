# shellcheck shell=bash
#
# php-source.sh: the sources of the machine's own series of PHP, from Debian's archive. Sourced by zts.sh and static-php.sh.

# What this machine's apt knows binary packages from, asked for sources instead. A third party's archive may have
# none; that matters only if Debian's has not either.
write_sources()
{
	local apt=$1 file

	mkdir -p "$apt/sources.d" "$apt/lists/partial" "$apt/archives/partial"
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources.d/$(basename "$file")"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$apt/sources.d/$(basename "$file").list"
	done
	cat >"$apt/apt.conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$apt/sources.d";
		Dir::State::lists "$apt/lists";
		Dir::Cache "$apt";
		Dir::Cache::archives "$apt/archives";
		APT::Sandbox::User "root";
		Acquire::IndexTargets::deb-src::DEP-11::DefaultEnabled "false";
	CONF
}

# fetch_source SERIES FOLDER: PHP's sources as a folder in FOLDER, which is made anew.
fetch_source()
{
	local series=$1 folder=$2 apt=$2.apt versions candidate got=false

	rm -rf "$apt"
	write_sources "$apt"
	export APT_CONFIG="$apt/apt.conf"
	apt-get -q update || true
	rm -rf "$folder"
	mkdir -p "$folder"
	# Newest first. A mirror of the security archive may lack sources; any version of the series will do.
	versions=$(apt-cache showsrc "php$series" | sed -n 's/^Version: //p' | sort -rVu)
	for candidate in $versions; do
		if (cd "$folder" && apt-get -q --only-source source "php$series=$candidate"); then
			got=true
			break
		fi
	done
	unset APT_CONFIG
	rm -rf "$apt"
	$got
}

# In the folder of the sources.
generate_configure()
{
	# Debian's packages are configured by generated files of their own; patches may have touched configure.ac.
	./buildconf --force
	# Patched grammars are older than what was generated from them; bison and re2c are not needed.
	find . '(' -name '*_parser.[ch]' -o -name '*_scanner*.[ch]' ')' -exec touch {} +
}
