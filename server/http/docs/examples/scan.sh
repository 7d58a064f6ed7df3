#!/bin/sh
# Usage: DOCVET_KEY=dv_live_… sh scan.sh FILE. Exit code: 0 clean, 1 infected, 2 no verdict.
answer=$(curl --silent --show-error --max-time 60 --write-out '\n%{http_code}' \
  --header "X-API-Key: $DOCVET_KEY" --form "file=@\"$1\"" http://127.0.0.1:8080/api/v1/scan) || exit 2

case $answer in
  *'"status":"clean"'*200) echo clean ;;
  *'"status":"infected"'*200) printf '%s\n' "$answer" | sed -n 's/.*"threat":"\([^"]*\)".*/infected: \1/p'; exit 1 ;;
  # 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
  *) printf 'no verdict: %s\n' "$answer" >&2; exit 2 ;;
esac
