# Completion of irglc in fish, made by:  irglc completion fish > ~/.config/fish/completions/irglc.fish

function _irglc_completion
    set -l words (commandline -opc)
    set -l line (commandline -cp | string collect)
    for found in (_IRGLC_COMPLETE=fish _IRGLC_LINE="$line" $words[1] 2>/dev/null)
        set -l part (string split -m 2 \t -- $found)
        switch $part[1]
            case file
                __fish_complete_path (commandline -ct)
            case dir
                __fish_complete_directories (commandline -ct)
            case plain open
                printf '%s\t%s\n' $part[2] $part[3]
        end
    end
end

complete --command irglc --no-files --keep-order --arguments '(_irglc_completion)'
