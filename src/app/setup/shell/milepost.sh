# Milepost's part in your agents' hooks, status line and MCP server. Written by milepost setup, which replaces it;
# milepost unsetup removes it. Agents run it with /bin/sh:
#
#   milepost.sh VERB NODE SCRIPT [WORD...]
#
#   hook, statusline   becomes Node with Milepost's script, this word and those behind it
#   guard              a hook beside Milepost's server: ends at once while the server hears hooks, else becomes a hook
#   compacted          before a request of Gemini CLI: becomes a hook where a new summary of a compaction is in it
#   start              the start of a session: keeps what it is told for the server, or becomes a hook
#   server             becomes Milepost's MCP server
#
# It never says anything of its own and ends with 0: agents show every hook and server that cannot be started. What is
# amiss, milepost doctor tells. Agents wait for it at every step, so it starts no other process where it can do without.

[ $# -ge 3 ] || exit 0
file=$0 verb=$1 node=$2 script=$3
shift 3

# Node where it was, else the one in the PATH: an upgrade moves it. By exec, so that Node's parent is the agent.
# Without our script, or any Node, it comes back.
become_node() {
  [ -f "$script" ] || return
  [ -x "$node" ] && exec "$node" "$script" "$@"
  command -v node >/dev/null && exec node "$script" "$@"
}

# Milepost's own folder. This file lies in it, but what Node will use is what the environment names; false where that is
# another. With --fixed our script names the folder itself. A plugin's file lies elsewhere, and goes by the environment.
find_home() {
  home=${MILEPOST_HOME:-${XDG_STATE_HOME:-${LOCALAPPDATA:-$HOME/.local/state}}/milepost}
  case $file in
  */wiring/milepost.sh)
    [ "$1" = --fixed ] && home=${file%/wiring/milepost.sh}
    [ "$home" = "${file%/wiring/milepost.sh}" ]
    ;;
  esac
}

# Each server of this agent has left an empty file, servers/AGENT-SERVER, named by their processes. There has to be one,
# and all of them have to be alive.
is_heard() {
  for mark in "$home/servers/$PPID"-*; do
    kill -0 "${mark##*-}" 2>/dev/null || return
  done
}

read_input() {
  input= row=
  while IFS= read -r row || [ "$row" ]; do
    input="$input$row "
    row=
  done
}

# For nobody else to read, and under its name only when it is whole.
keep_start() {
  umask 077
  [ -d "$home/starts" ] || { [ -d "$home" ] && mkdir "$home/starts"; } || return
  fresh=$home/starts/.$PPID-$$
  printf %s "$input" >"$fresh" && mv -f "$fresh" "$home/starts/$PPID-$$.json" && return
  rm -f "$fresh"
  return 1
}

# Gemini CLI tells of no compaction, but of each request. One that was compacted begins with the summary and what the
# model is made to answer to it; it is the same in all requests after it, so a mark of the last one is kept.
is_compacted() {
  # Not with the shell's own patterns: on a long text some shells take seconds for them.
  summary=$(printf %s "$input" | LC_ALL=C awk -v taken="$TAKEN" '
    index($0, "\"hook_event_name\":\"Doctor\"") { print "doctor"; exit }
    {
      at = index($0, taken)
      if (!at) exit
      summary = substr($0, 1, at)
      while (at = index(summary, "</session_context>")) summary = substr(summary, at + 18)
      print summary
    }')
  case $summary in
  '') return 1 ;;
  doctor) return ;;
  esac
  case $GEMINI_SESSION_ID in
  '' | *[!0-9A-Za-z-]*) return ;;
  esac
  cache=${file%/wiring/milepost.sh}/cache
  mark=$cache/compacted-$GEMINI_SESSION_ID
  sum=$(printf %s "$summary" | cksum) last=
  [ -r "$mark" ] && IFS= read -r last <"$mark"
  [ "$sum" = "$last" ] && return 1
  umask 077
  [ -d "$cache" ] || mkdir -p "$cache"
  printf '%s\n' "$sum" >"$mark"
  # Sessions that nobody goes on with.
  find "$cache" -name 'compacted-*' -mtime +30 -exec rm -f {} +
  return 0
}
TAKEN='"role":"model","content":"Got it. Thanks for the additional context!'

# A server in place of ours that is gone: offers no tools, and answers hooks with nothing. It has to find the id of a
# message, which is its first or its last member; what a hook tells may have others in it.
serve_nothing() {
  set -f
  IFS='{}:,"'
  while IFS= read -r line; do
    case $line in
    '{"jsonrpc":"2.0","id":"'*) place=first quote='"' ;;
    '{"jsonrpc":"2.0","id":'*) place=first quote= ;;
    *'"}') place=last quote='"' ;;
    *) place=last quote= ;;
    esac
    id= version= before=
    for word in $line; do
      [ "$word" ] || continue
      case $before in
      id) if [ -z "$id" ] || [ $place = last ]; then id=$word; fi ;;
      protocolVersion) version=$word ;;
      esac
      before=$word
    done
    # Without an id nobody waits for an answer.
    [ "$id" ] || continue
    case $line in
    *'"method":"tools/call"'*) result='"content":[]' ;;
    *'"method":"initialize"'*)
      result='"protocolVersion":"'$version'","capabilities":{"tools":{}},"serverInfo":{"name":"milepost","version":"0"}'
      ;;
    *) result='"tools":[]' ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\n' "$quote$id$quote" "$result"
  done
}

# An agent that starts waits for the server's first answers, and Node takes a tenth of a second to give them. They are
# the same at every start, so Node has kept them, each behind its question; they are given while each question is the
# one that it was. The first prompt of a new session is answered with nothing and kept, as its start is. All else is
# left to Node, which is told how far we are. It becomes Node: the mark of the server has the right number already.
greet() {
  kind=other
  [ "$CLAUDE_CODE_SESSION_ID" ] && kind=claude
  # Other tools, other answers.
  for word; do
    case $word in --tasks | --plans) kind=$kind$word ;; esac
  done
  export MILEPOST_GREETING="$home/cache/greeting-$kind-$#"
  [ -r "$MILEPOST_GREETING" ] && [ "$MILEPOST_GREETING" -nt "$script" ] && [ -d "$home/servers" ] || return
  umask 077
  mark=$home/servers/$PPID-$$
  printf '' >"$mark" || return
  greeted=0 line=
  exec 3<"$MILEPOST_GREETING"
  while IFS= read -r question <&3 && IFS= read -r answer <&3; do
    IFS= read -r line || leave
    [ "$line" = "$question" ] || break
    [ -z "$answer" ] || printf '%s\n' "$answer"
    line= greeted=$((greeted + 1))
  done
  exec 3<&-
  export MILEPOST_GREETED="$greeted"
  [ "$line" ] || IFS= read -r line || leave
  keep_prompt || keep_line
}

# The agent has gone.
leave() {
  rm -f "$mark"
  exit 0
}

# What the first prompt tells is kept behind the start that it belongs to, and answered with nothing. Node would take its
# time from the agent's first request: it waits.
keep_prompt() {
  case $line in
  *'"name":"hook","arguments":{"hook_event_name":"UserPromptSubmit"'*) ;;
  *) return 1 ;;
  esac
  for start in "$home/starts/$PPID"-*.json; do
    [ -f "$start" ] || return
  done
  input=$line
  keep_start || return
  id=${line##*'"id":'}
  printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":""}]}}\n' "${id%%[,\}]*}"
  sleep 0.2 || return 0
}

# Node answers it.
keep_line() {
  fresh=$home/starts/.$PPID-$$
  if [ -d "$home/starts" ] && printf %s "$line" >"$fresh"; then
    export MILEPOST_PENDING="$fresh"
  else
    export MILEPOST_LINE="$line"
  fi
}

case $verb in
guard)
  find_home "$1" && is_heard && exit 0
  become_node hook
  ;;
start)
  read_input
  case $input in
  *'"source":"startup"'*) find_home "$1" && keep_start 2>/dev/null && exit 0 ;;
  esac
  # All other starts have to be answered at once.
  become_node hook <<INPUT
$input
INPUT
  ;;
compacted)
  # One long line: the shell's own reading takes a system call for each byte of it.
  input=$(cat)
  is_compacted 2>/dev/null || exit 0
  become_node hook "$@" <<INPUT
$input
INPUT
  ;;
server)
  find_home && greet "$@" 2>/dev/null
  become_node "$@"
  serve_nothing
  ;;
*) become_node "$verb" "$@" ;;
esac
exit 0
