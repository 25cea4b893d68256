# Completion of irglc in bash, made by `irglc completion bash`. In ~/.bashrc: eval "$(irglc completion bash)"

_irglc_completion() {
    local kind value line
    COMPREPLY=()
    line=${COMP_LINE:0:COMP_POINT}
    while IFS=$'\t' read -r kind value _; do
        case $kind in
            nospace) compopt -o nospace 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            dir) compopt -o dirnames 2>/dev/null ;;
            plain | open) COMPREPLY+=("$value") ;;
        esac
    done < <(_IRGLC_COMPLETE=bash _IRGLC_LINE=$line _IRGLC_BREAKS=$COMP_WORDBREAKS "${1/#\~/$HOME}" 2>/dev/null)
    return 0
}

complete -o nosort -F _irglc_completion irglc 2>/dev/null || complete -F _irglc_completion irglc
