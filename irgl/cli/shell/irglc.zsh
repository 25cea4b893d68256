#compdef irglc
# Completion of irglc in zsh, made by `irglc completion zsh`. In ~/.zshrc, after compinit: eval "$(irglc completion zsh)"

_irglc_completion() {
    local kind value help line
    local -a plain plain_shown open open_shown
    line="${(j: :)words[1,CURRENT-1]} ${QIPREFIX}${PREFIX}"
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            file) _files; return ;;
            dir) _files -/; return ;;
            plain) plain+=("$value"); plain_shown+=("$value${help:+  -- $help}") ;;
            open) open+=("$value"); open_shown+=("$value${help:+  -- $help}") ;;
        esac
    done < <(_IRGLC_COMPLETE=zsh _IRGLC_LINE="$line" "${(Q)words[1]/#\~/$HOME}" 2>/dev/null)
    (( $#open )) && compadd -V irglc -S '' -l -d open_shown -a open
    (( $#plain )) && compadd -V irglc -l -d plain_shown -a plain
}

if [[ $funcstack[1] == _irglc ]]; then  # from a file _irglc in a folder of $fpath
    _irglc_completion "$@"
else
    compdef _irglc_completion irglc
fi
