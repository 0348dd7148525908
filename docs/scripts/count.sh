#!/usr/bin/env bash
# Instructions of each stage of one turn, counted by callgrind, and the exponents of their growth. Figures of record:
# docs/performance.md. Says also by a hash what the turn came to, so that two states of the code can be compared.
#
# count.sh BINARY DIR ["GROUNDS..."] ["SEEDS..."]: the benchmark `count` as cargo built it; a place for the battles and counts.
set -euo pipefail
binary=$1 place=$2 grounds=${3:-2 4 8 16} seeds=${4:-1 2 3}
mkdir -p "$place"
for seed in $seeds; do
    for ground in $grounds; do
        name=$place/$ground-$seed
        [ -e "$name.orders" ] || "$binary" save "$place" "$ground" "$seed"
        rm -f "$name.count"*
        valgrind --tool=callgrind --collect-atstart=no '--toggle-collect=count::played*' '--dump-before=count::told*' \
            "--callgrind-out-file=$name.count" "$binary" play "$place" "$ground" "$seed" >"$name.told" 2>"$name.log"
    done
done
for ground in $grounds; do
    for stage in 1 2 3 4; do
        for seed in $seeds; do sed -n 's/^\(totals\|summary\): //p' "$place/$ground-$seed.count.$stage" | head -1; done |
            awk -v ground="$ground" -v stage="$stage" '{ sum += $1 } END { print ground, stage, sum / NR }'
    done
done | awk '
    BEGIN { split("Orders Reactions Charges Movement", name) }
    {
        exponent = before[$2] ? sprintf(" (%.2f)", log($3 / before[$2]) / log($1 / fewer[$2])) : ""
        printf "%5d units %-10s %12.1f million%s\n", 40 * $1, name[$2], $3 / 1e6, exponent
        before[$2] = $3; fewer[$2] = $1
    }'
