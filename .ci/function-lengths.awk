# Prints the number of lines in the body of every function, initializer and subscript with several lines.
/^ *((public|package|private|internal|static|final|override|mutating|consuming|borrowing|nonisolated|convenience|@[A-Za-z()]+) )*(func |init[?(<]|subscript[(<])/ {
    if (!open) { match($0, /^ */); indent = RLENGTH; open = 1; start = 0 }
}
open && !start && /\{$/ { start = FNR }
open && !start && /\}$/ { open = 0 }
open && start && /^ *\}$/ { match($0, /^ */); if (RLENGTH == indent) { print FNR - start - 1; open = 0 } }
FNR == 1 { open = 0 }
