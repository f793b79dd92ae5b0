#!/bin/sh
# Build the Debian package of this checkout into dist/ (needs debhelper and python3-venv).
set -eu
cd "$(dirname "$0")/.."
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
mkdir -p "$build/reviews" dist
git ls-files -z | grep -zv -e '^tests/' -e '^tools/' | xargs -0 cp --parents -t "$build/reviews"
git rev-parse --short=12 HEAD > "$build/reviews/config/commit.txt"
cp -r "$build/reviews/deploy/debian" "$build/reviews/debian"
(cd "$build/reviews" && dpkg-buildpackage --build=binary --unsigned-changes --no-pre-clean)
cp "$build"/*.deb dist/
ls dist/*.deb
