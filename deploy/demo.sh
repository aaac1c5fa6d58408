#!/usr/bin/env bash
# Shows one run from the request to the list: it starts `tutti dev` on free ports with a data
# directory of its own, runs a chain of three specialists, shows the run in every place where it can
# be seen, and stops what it started. Whatever fails, it ends with another code than 0.
#
#   TUTTI_DEMO_MODEL=demo/echo make demo     # the built-in demo provider, whatever keys are there
#   TUTTI_DEMO_MODEL=ollama/llama3.2 make demo
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tutti=$repository/.bin/tutti
folder=$repository/.bin/demo
chosen=${TUTTI_DEMO_MODEL:-}
request='Design a rate limiter for a public HTTP API, sketch its core, and review the sketch.'
chain='architect -> engineer -> reviewer'

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# show prints a tutti command as one would type it, and runs it.
show() {
  local word line='$ tutti'
  for word in "$@"; do
    case $word in *[!A-Za-z0-9@/.:_-]*) word="\"$word\"" ;; esac
    line+=" $word"
  done
  echo "$line"
  "$tutti" "$@"
}

# Nothing of a developer's own settings comes in, keys of providers apart.
for name in "${!TUTTI_@}" "${!TEMPORAL_@}" DATABASE_URL; do unset "$name"; done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
: > temporal.toml

# listens tells whether something listens on a port on loopback.
listens() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

# The Web UI's port is the server's and a thousand, as tutti expects it where it is not told.
for _ in {1..100}; do
  port=$((20000 + RANDOM % 11000))
  ui_port=$((port + 1000))
  if ! listens "$port" && ! listens "$ui_port"; then break; fi
done
export TUTTI_DATA_DIR=$folder/data
export TEMPORAL_ADDRESS=127.0.0.1:$port TEMPORAL_NAMESPACE=default TEMPORAL_CONFIG_FILE=$folder/temporal.toml

server=''
finish() {
  local code=$?
  trap - EXIT
  if [ -n "$server" ] && kill -0 "$server" 2> /dev/null; then
    kill -TERM "$server"
    wait "$server" || true
  fi
  if [ "$code" -ne 0 ]; then
    printf '\nThe demo failed (exit %s). The last lines of `tutti dev`:\n' "$code" >&2
    tail -n 20 "$folder/dev.log" >&2 || true
  fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# choose_model prints the flags for the model: the chosen one, else a real one whose key or server is
# there, else the demo provider, which says of itself that it is one.
choose_model() {
  local ollama=${OLLAMA_HOST:-127.0.0.1:11434} local_model
  if [ -n "$chosen" ]; then
    echo "--model $chosen"
  elif [ -n "${OPENROUTER_API_KEY:-}" ]; then
    echo '--model openrouter/anthropic/claude-sonnet-4.5'
  elif [ -n "${ANTHROPIC_API_KEY:-}" ]; then
    echo '--provider anthropic --model claude-sonnet-4-5'
  elif [ -n "${OPENAI_API_KEY:-}" ]; then
    echo '--provider openai --model gpt-5-mini'
  elif local_model=$(curl -fsS --max-time 2 "http://${ollama#http://}/api/tags" 2> /dev/null \
    | grep -o '"name":"[^"]*"' | head -n 1 | cut -d '"' -f 4) && [ -n "$local_model" ]; then
    echo "--provider ollama --model $local_model"
  else
    echo '--model demo/echo'
  fi
}

# wait_for repeats a command until it succeeds; it gives up after 60 seconds, or when the server ends.
wait_for() {
  local what=$1 deadline=$((SECONDS + 60))
  shift
  until "$@" > /dev/null 2>&1; do
    if ! kill -0 "$server" 2> /dev/null; then
      echo "tutti dev ended while waiting for $what" >&2
      return 1
    fi
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "no $what within 60 seconds" >&2
      return 1
    fi
    sleep 0.1
  done
}

listed_as_completed() { "$tutti" run list --json | grep -q '"status": *"completed"'; }

title 'Starting Temporal and a worker'
echo "$ tutti dev --port $port --ui-port $ui_port"
"$tutti" dev --port "$port" --ui-port "$ui_port" > "$folder/dev.log" 2>&1 &
server=$!
wait_for 'worker that is ready' grep -q '^Ready' "$folder/dev.log"
sed "s|$repository/||" "$folder/dev.log"

title 'Running a chain of three specialists'
read -ra model <<< "$(choose_model)"
show submit "$request" --chain "$chain" --backend provider "${model[@]}"

title 'The run in the list, from the mirror'
wait_for 'completed run in the list' listed_as_completed
show run list

title 'The same run, from its own history'
show run show @last

title 'What tutti thinks of its surroundings'
show doctor

run=$("$tutti" run list -o name | head -n 1)
ui=http://127.0.0.1:$ui_port/namespaces/default/workflows/$run
if ! listens "$ui_port"; then
  echo "the Web UI does not answer at $ui" >&2
  exit 1
fi
title 'The same run in the Web UI of Temporal'
echo "$ui"
echo '(It is stopped with the demo. `.bin/tutti dev` starts your own, at http://127.0.0.1:8233.)'

title 'Stopping'
kill -TERM "$server"
wait "$server"
server=''
echo "Done: run $run completed. Its data is in .bin/demo until the next demo."
