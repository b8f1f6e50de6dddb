# Games of the samples, and what GNU Go counted them to: see data/expected-go.csv.
# Run by scripts/check_protocols.py. A number begins a command that is looked at;
# behind it stands the whole answer that is expected, as a regular expression.

loadsgf data/archive/go/9x9/001.sgf
10 final_score
#10 [B\+6\.5]
11 final_status_list dead
#11 [F3 G3]
12 get_komi
#12 [6\.5]
13 final_status F3
#13 [dead]
14 final_status A9
#14 [black_territory|white_territory|dame]

# Before its second move: nothing is on the board but the first.
20 loadsgf data/archive/go/9x9/001.sgf 2
#20 [white]
21 list_stones white
#21 []
22 final_status_list dead
#22 []

30 loadsgf data/archive/go/9x9/002.sgf
#30 [black|white]
31 final_score
#31 [B\+13\.5]
32 final_status_list dead
#32 []
komi 0.5
33 final_score
#33 [B\+19\.5]

loadsgf data/archive/go/9x9/003.sgf
40 final_score
#40 [W\+7\.5]
41 final_status_list dead
#41 [F3]

# Captures, ko and suicide.
boardsize 5
clear_board
komi 0
play b b5
play w a5
play b a4
50 captures black
#50 [1]
51 captures white
#51 [0]
52 is_legal white a5
#52 [0]
53 play white a5
#53 [illegal move: suicide]
54 list_stones black
#54 [B5 A4]
undo
55 list_stones white
#55 [A5]

# What is not understood is said, and changes nothing.
60 boardsize 26
#60 [unacceptable size.*]
61 play green c3
#61 [invalid color.*]
62 play b i3
#62 [invalid coordinate.*]
63 play b f1
#63 [invalid coordinate.*]
64 genmove b
#64 [unknown command]
65 loadsgf no-such-file.sgf
#65 [cannot load file.*]
66 known_command final_score
#66 [true]
67 known_command genmove
#67 [false]
68 komi much
#68 [.*much.*]
69 list_stones white
#69 [A5]

# Handicap.
boardsize 19
clear_board
70 fixed_handicap 5
#70 [D4 Q16 D16 Q4 K10]
71 fixed_handicap 2
#71 [board not empty]
clear_board
72 set_free_handicap D4 D4
#72 [bad vertex list.*]
73 undo
#73 [cannot undo.*]
