#!/usr/bin/env bash
# Predicts a grid of lesson/d for this machine, measures it on real Redis, compares and draws; results in out/measure. The exit
# code is that of compare: 1 some cells differ, 3 none does but some are unknown. With --small it is a grid of four cells, in less
# than a minute, to see that measuring works: then only what could not be run is an error, since a machine that builds something
# else meanwhile need not agree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly dir=out/measure
grid=(lesson/d --scale 0.1 --axis ttl=400ms..2s/5 --axis pause=600ms..2400ms/5)
reps=4
small=
if [ "${1:-}" = --small ]; then
  small=yes
  grid=(lesson/d --scale 0.1 --set rounds=20 --axis ttl=400ms,1s --axis pause=600ms,1200ms)
  reps=3
fi

# Runs a command. Its exit code, in $code, may also say that there is a finding (1), or that something is unknown (3).
run() {
  code=0
  "$@" || code=$?
  case $code in
    0 | 1 | 3) ;;
    *) exit "$code" ;;
  esac
}

rm -rf "$dir"
mkdir -p "$dir"
run ./locklab calibrate -o "$dir/profile.yaml"
run ./locklab sweep "${grid[@]}" --runs 10000 --profile "$dir/profile.yaml" -o "$dir/predicted.jsonl"
run ./locklab real "${grid[@]}" --reps "$reps" --profile "$dir/profile.yaml" -o "$dir/measured.jsonl"
run ./locklab plot "$dir/predicted.jsonl" "$dir/measured.jsonl" -o "$dir/figure.svg"
run ./locklab compare --coverage "$dir/predicted.jsonl" "$dir/measured.jsonl"
[ -n "$small" ] || exit "$code"
