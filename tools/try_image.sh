#!/bin/sh
# Start an image with few privileges, and check that a review is imported: try_image.sh IMAGE
set -eu
image=$1
inbox=$(mktemp -d)
chmod 0777 "$inbox"
name=reviews-trial-$$
trap 'docker rm --force --volumes "$name" >/dev/null; rm -rf "$inbox"' EXIT
docker run --detach --name "$name" --publish 127.0.0.1::8000 --volume "$inbox:/var/lib/reviews/inbox" \
    --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    "$image" python manage.py up >/dev/null
address=http://$(docker port "$name" 8000/tcp)

wait_for() {  # Wait up to two minutes until a command succeeds.
    for _ in $(seq 120); do
        if sh -c "$1" >/dev/null 2>&1; then return; fi
        sleep 1
    done
    docker logs "$name"
    echo "Timed out: $1" >&2
    exit 1
}

count() {
    curl -sf "$address/reviews.csv" | wc -l
}

wait_for "curl -sf $address/readyz | grep -q '\"worker\":\"ok\"'"
docker logs "$name" | grep -q "with the password "
before=$(count)
cp demo/new_reviews.csv "$inbox"
wait_for "test \$(curl -sf $address/reviews.csv | wc -l) -gt $before"
bytes=$(docker run --rm --user 0 --entrypoint du "$image" -sxb / | cut -f1)  # Unpacked: layers count files that later ones replace.
echo "$image: $((bytes / 1000000)) MB, $before lines before the import, $(count) after it"
test "$bytes" -le 250000000
docker stop --time 10 "$name" >/dev/null
test "$(docker inspect --format '{{.State.ExitCode}}' "$name")" -eq 0
