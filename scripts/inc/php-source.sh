# shellcheck shell=bash
#
# php-source.sh: the sources of the machine's own series of PHP, from Debian's archive. Sourced by scripts/long/zts.sh and
# scripts/long/static-php.sh.

# fetch_source SERIES FOLDER: PHP's sources as a folder in FOLDER, which is made anew.
fetch_source()
{
	local series=$1 folder=$2 apt=$2.apt versions candidate got=false

	rm -rf "$apt"
	apt_for_sources "$apt"
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
