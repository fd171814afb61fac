# Completion of milepost for fish.
function __milepost_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l word (string replace -r '^["\']' '' -- "$current")
    set -l lines (command milepost complete -- $words[2..-1] "$word" 2>/dev/null </dev/null)
    switch "$lines[1]"
        case ':files*' ':folders*'
            set -l flag (string match -r '^--[^=]*=' -- "$word")
            set -l path (string replace -r '^--[^=]*=' '' -- "$word")
            set -l paths
            if string match -q ':files*' -- "$lines[1]"
                set paths (__fish_complete_path "$path")
            else
                set paths (__fish_complete_directories "$path")
            end
            for found in $paths
                printf '%s%s\n' "$flag" "$found"
            end
        case '*'
            test -n "$lines[1]"; and printf '%s\n' $lines
    end
end
complete -c milepost -e
complete -c milepost -f -k -a '(__milepost_complete)'
