#!/bin/sh
# sh run.sh PROGRAM [ARGUMENTS]: runs a program of the plugin with the node that the hooks use.

main() {
  set -f
  # in a subshell, because it changes the current folder
  data=$(find_data_dir 2>/dev/null && printf %s "$data") || data=/nonexistent
  find_node || { echo 'claude-mem: Node.js (20.19, 22.12 or newer) was not found. Add it to the PATH.' >&2; exit 127; }
  program=$1
  shift
  # node reads this variable at its start, so it is restored after `unset_node_variables`
  authorities=${NODE_EXTRA_CA_CERTS:-}
  unset_node_variables
  [ -z "$authorities" ] || export NODE_EXTRA_CA_CERTS="$authorities"
  exec "$node" "${0%/*}/../$program" "$@"
}

#include find_data_dir
#include find_real_path
#include is_in_project
#include find_own_home
#include is_below
#include find_node
#include find_usual_node
#include unset_node_variables
# The shell must parse the complete file before it runs anything.
main "$@"
