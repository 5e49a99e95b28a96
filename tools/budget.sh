# Sourced by the Makefile: steps that together may take so many seconds.

# budget SECONDS NAME: what follows may take this long from now on.
budget() {
    budget_s=$1
    budget_name=$2
    budget_end=$((SECONDS + budget_s))
}

# step TITLE COMMAND…: runs the command within what is left, and says what it is.
step() {
    local title=$1 left=$((budget_end - SECONDS)) status=0
    shift
    echo "── $title"
    [ "$left" -gt 0 ] || _over_budget
    if command -v timeout >/dev/null; then
        # an interrupt first, so that tests put away what they started
        timeout --foreground --signal=INT --kill-after=15 "$left" "$@" || status=$?
    else
        "$@" || status=$?
    fi
    [ "$status" -ne 124 ] && [ "$status" -ne 137 ] || _over_budget
    return "$status"
}

_over_budget() {
    echo "$budget_name took longer than the $budget_s s it may take; on a slow machine: make … SLOWNESS=3" >&2
    exit 124
}
