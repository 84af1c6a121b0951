# shellcheck shell=bash
#
# php-source.sh: sources from Debian's archive, of PHP above all. Sourced by scripts/long/zts.sh, static-php.sh and musl.sh.

# fetch_source PACKAGE FOLDER: the sources of a package, as php8.2, as a folder in FOLDER, which is made anew.
fetch_source()
{
	local package=$1 folder=$2 apt=$2.apt versions candidate got=false

	rm -rf "$apt"
	apt_for_sources "$apt"
	apt-get -q update || true
	rm -rf "$folder"
	mkdir -p "$folder"
	# Newest first. A mirror of the security archive may lack sources; any version of the package will do.
	versions=$(apt-cache showsrc "$package" | sed -n 's/^Version: //p' | sort -rVu)
	for candidate in $versions; do
		if (cd "$folder" && apt-get -q --only-source source "$package=$candidate"); then
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
