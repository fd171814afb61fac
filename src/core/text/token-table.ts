// What is known of the o200k vocabulary. The test beside this file compares every entry with the vocabulary itself.

/** One token each, with and without a space before it, with a small or a capital first letter. */
export const ANY_FORM = `
aber abi ability able abort about above absolute accept accepted access accessible according account action
actions active actual actually add added adding addition additional address addresses adds adjust admin advanced
after again against age agent agents ago algorithm alias align alive all alle alloc allow allowed allows almost
along already als also alt alternate alternative always amount and another answer antwort any anything apache api
app append application applications apply approved archive are area arg args argument arguments arm around arr
array arrays art ask asked assert assets assigned associated ast async attached attempt attention attr attribute
attributes auch audit auf aus auth authentication author authority authors auto available avoid await away back
backend bad badge bar bare base based basic baz because been before begin behavior behind bei being below bench
benchmark best beta better between big bin binary bind binding bis bit bitmap bits blank blob block blocks body
boolean both bound boundary box branch brand break breaking broken browser buf buffer bug build building built
bundle but button buttons byte bytes cache cached call callback called calling calls can cancel cannot capital
capture care cart case cases cat catch cause center cert certain certificate chain challenge change changed
changes changing channel channels char character characters chart charts chat check checked checking checkout
checks child choose chrome chunk cipher class classes clean cleanup clear cli client clients clone close closed
closing cluster cmd code codes collection colon color colors column columns come command commands comment comments
commit common community compare comparison compatible compile compiler complete completed completion component
components compression condition conditional conditions conduct conf config configuration configure connect
connected connection connections consider console const constants construct constructor consume consumer contains
content contents context continue control controller conversion convert converted cookie copies copy copyright
core corner correct could count cover coverage covered cpu create created creates creating creation credential
cross crypto css ctrl curl current currently curve custom cycle dark das dash dashboard data database date days
debug decode decoder deep default defaults define defined defines definition definitions delay delete deleted
delta dem den dep depend dependencies dependency depending depends deploy deprecated depth der des describe
description descriptor design destination destroy detail details detect dev developer development device
dictionary did die diff difference different digest digit dir direct directory disable disabled disconnect discord
discussion disk dispatch dispatcher display dist distribution doc doch docs document documentation does doing
domain don done dot double down download downloads drop dry due duplicate duration durch during dynamic each early
easy echo edit editor effect ein eine either element elements else email emails emit empty enable enabled encode
encoding end endpoint ends engine ensure entries entry env environment equal equals err error errors escape
especially eval evaluation even event events every everything exact example examples except exception exceptions
exec execute execution exist existing exists exit expect expected experimental explicit export express expression
extended extension extensions external extra extract factor fail failed failure fake fall false family fast fatal
feature features feedback fetch few field fields file filename files fill filter filters final finally find
finding finish finished first fix fixed flag flags flat flush folder follow following foo for force forgot fork
form format formats forms forward found four frame frames framework free friends from full fully func function
functions fund future general generate generated generation generator get gets getting git github give given
giving glob global going good google got graph greater group groups grund gui guide gut had half hand handle
handler handles handling hard has hash hat have having head header headers heads heap height hello help helper
helpers here hex hier high higher hint history home hook hooks horizontal host how however html human ich
identifier identity idle ignore image img immer implement implementation import important imports include included
includes including incoming incorrect index individual info information init initial initialize initialized input
inputs inside inspect install installation installed instance instances instead instructions int integer
integration interactive interface internal interpret interval intl into invalid invoice invoke iso issue issues
ist item items iterator its javascript job join json just keep kernel key keys keyword keywords kill kind know
known label labels land lang language large last later latest latin lazy lead leading least leave leer left legacy
len length less let letter level lexer lib libraries library license life light like limit limited limits line
lines link linked links linux list liste listed listen listener lists literal little load loaded loader loading
local locale location lock log logic login logo logout logs long look looking lookup loop lost lot low lower mac
macro made magic mail main maint maintenance major make makes making man manage managed management manager
manifest manual many map mapping maps mark master match matches matching material max maximum may mean means media
medium mehr member members memory merge message messages meta metadata method methods middle migration mime min
minimum minor misc missing mit mock modal mode model modern modified modify module modules more most move msg much
multi multiple must nach name named names namespace nan native necessary need needed needs negative nested net
network neu never new next nicht noch node nodes non none nor normal normally not note notes nothing notice now
null number numbers numeric nun nur obj object objects oder off offset often old older once one online only open
opening operation operations operator opt optimization option optional options order orders org organization
origin original other others otherwise our out output outputs outside over overflow override overview own owner
pack package packages packed packet padding page pager pages pagination pair parallel param parameter parameters
params parent parse parsed parser part partial parts party pass passed passing password patch path paths pattern
patterns pause payload payment payments peer pem pending people per percent perf perform performance permission
permissions person phase pick picture piece ping pipe pipeline place places plain plan platform please plugin plus
point pointer points policy pool port position positive possible post potential practice pre prefer preferred
prefix prepare prepared present pretty prevent previous price primary prime primitive print printed prior priority
private pro problem procedure process processing produce production profile program programm progress project
projects projekt promise prompt properties property proposal protect protocol prototype provide provided provider
proxy public publish published pull purpose push put python queries query question queue quiet quite quotes ran
random range rather raw react read reading reads ready real reason receive received recent recommended record
records recursive reduce ref refer reference references refresh regex register registered registry regular reject
related relative release released remaining remark remote remove removed rename replace replacement reply repo
report reports repository represent representation req request requested requests require required requirements
requires res reset resolution resolve resolver resource resources respond response restart restore result results
resume retrieve retry return returned returns rev reverse review reviews revision rewrite right role roles root
row rows rule rules run runner running runs runtime safe same sample save saving say scheduled schema scheme scope
script scripts search sec second seconds secret section sections secure security see seit select selector self
send sending sense sent separator sequence serialization series server servers service session sessions set sets
setting settings setup sha share shared shell short should show shows side sie sign signal signature signed
similar simple since single site size skip slash slice small smart snapshot socket software some something
sometimes sort source sources space spaces span spawn spec special specific speed split square src stable stack
stage stand standard start started starting starts startup stat state statement static status std step steps still
stop store stored str strategy stream streams strict string strings strip strong struct structure studio style sub
subject submit success such suite summary sup support supported supports sure svg switch symbol symbols sync
syntax system systems tab table tables tag tags take taken taking tar target targets task tasks tcp team teams
technical teil tell template temporary terminal terms test testing tests text than that the their them then there
these they thing things third this those though thread threads three through throw throws thus tier time timeout
timer times timestamp tip title tmp todo todos token tokens too tool tools top topic total trace track tracker
tracking transfer transform transport tree trees trigger true trust trusted try trying turn two txt type types
typically uint unable und undefined under unexpected unicode unique unit unix unknown unless unsafe unsupported
unter until update updated updates upgrade upload upon ups uri url usage use used user username users uses using
usually utf util utility utils val valid validate validation value values var variable variables variant verify
version versions vertical very via vier view visual void vom von vor wait waiting walk want war warn warning was
watch way ways web weiter well wenn were what whatever wheel when where whether which while who whole why widget
width wie wiki will win window windows wir with within without won word words work worker workers workflow working
works workspace world would wrap wrapped wrapper write writes writing written wrong xml yes yet yield you your
zeit zero zum zur
`;

/** One token each behind a space, with a small or a capital first letter. */
export const BEHIND_SPACE = `
across acute affect algorithms alte alten alternatively andere applied applies approach appropriate apt arbeit
assertion attempts automatically bash become beginning begins behaviour bereits bitte bugs builds causes
certificates cherry chromium combination combining comes compared compatibility compilation completely conflict
contributor contributors crash dabei damit danach dann dass daten denn depot designed detached detailed detection
determine developers diagnostic diagnostics didn diese dieser dieses differences doesn drain drei duplex earlier
easily einen einer einige emits enables ende enough entire equivalent erst established etc exactly expansion
expressions faster filtering finden formatting frage fragen funding funktion further ganz garbage gegen generally
generates gibt gives gleich goes greek guaranteed habe haben happens hence heute hoch honor ihr ihre ihren ihrer
immediately implements imported improve improved independent indicates infinity initialization inspector
installing integrity intended invocation ish iterable jahr jetzt kann keine kib klasse klein kleine kurz laden
lange larger lassen leak learned lesen lifecycle listening longer loose machinery maintaining meine mich microsoft
might modul muss namen neither neue newly ninja offen ohne ones operating overrides paket parsing particular perl
pip platforms portion possibly preserve previously prints probleme problems processes produced programs provides
providing publishing punkt reasons receiving recently recorded regardless regression releases relevant removal
removes removing reporting represents returning reviewer said schnell schon schreiben scoped sehr sei sein seine
selbst sends sensitive separate several shields showing sich simply sind socks soll sollte sparse specifically
specification specifies specify sponsors stability statements stellen successfully synopsis tage takes teile
tested texte therefore timing together told trailer treat tried twice understand unlike updating useful various
vielen voll wasi weg weil werden wert whenever wieder wikipedia wird wissen writable zwei zwischen
`;

/** One token each behind a space, with a small first letter. */
export const SMALL_BEHIND_SPACE = `
abc aborted accepts accessed addon addons aes affected aliases allem allocated allowing anderen ansi anymore
appear appears approve arbitrary argv ascii asynchronous asynchronously attempted attempting avatars aware
backward bauen becomes behave behaves benchmarks besser bigint binaries bindings biome blame bleiben bogus
branches bringen broke browsers buffers builtin bundled caching callbacks caused causing clarify cleaned
collaborator collaborators comma commits compiled compiling configurable configurations configured configuring
conflicts confused considered consistent contain contained containing contexts continues contrib contributing
copied corrected correctly corresponding corrupt cpp crashes cwd cycles daemon databases debugger debugging
decrypt defining dependent deps deren described descriptors destroyed detected determined diesen directly
directories dirname dirs displayed dns documented easier einem eines emitted emitter encoded encountered encrypted
endpoints entfernen entirely environments erstellen ersten eslint esm etwa etwas evaluated exclude exe executable
executed exited exits explicitly exported exports expose exposed extends failing fails failures fallback falsch
fertig fetched fetching filesystem fingerprint fixes flaky folders followed follows foreach formatted frontend
fulfilled fulfills functionality gave gcc geben generating gid grep handful handled handlers happen happened hatte
hierarchy hints holen hostname href identical identified ignored ihm implementations implemented implicit
incompatible incomplete incorrectly indexes indicate inherit insensitive installs instanceof integers intercept
internally interpreted introduce introduced investigate invoked involved ipc ipv isolate issuer itself jedoch
keinen kept killed kommen latter laufen leaks letzten libc licenses likely lint listeners localhost locally machen
maintained manner manually mappings marked matched meant mechanism merged merges merging migrate milliseconds
mistake mocked moved napi nehmen neuen newer notation noted npm occur occurred occurs offene omit omitted opened
operate optimized optionally opts outdated overridden pairs passwords patches pathname performed pid pkg placed
png pointed pointing porcelain portability postgres precedence prefers prettier prevents primarily processed
promises properly protocols prune pushing queued ranges readable readline rebuild receives recurse referenced
refers refs refused regexp rejected rejection rely remain renamed repl replaced reported repositories represented
representing resolved resolves resolving resulting revert rewritten richtig rsa sagte satisfy scopes sdk sehen
seinen seiner semantics senden separated setuptools setzen shallow showed shown silently simplify skipped sockets
sollen sondern spawned specified specifying speichern squash ssh ssl staging starten stash stderr stdin stdout
stopped strictly stringify subsequent subset subtree suchen suffix supplied svn symbolic synchronous taught tbody
tells terminate terminated testen thrown timers tls tostring tracing tracked trailers trailing treated tries
triggered triggers trivial truncated tty turned typeof typo udp uid underlying uninstall unnecessarily unnecessary
unsigned upstream urls usr usual valign verbessern verbose vscode vulnerabilities vulnerability warnings wasm
websocket whitespace whose worden workaround workflows wurde xyz yaml zeigen
`;

/** One token each behind a space, with a capital first letter. */
export const CAPITAL_BEHIND_SPACE = `
ansicht antworten anwendung anzeige aufgabe aufgaben ausgabe beispiel beispiele benutzer bereich datei dateien
einstellung einstellungen fehler funktionen nutzer punkte seite seiten systeme werte
`;

/** Two letters that are no token together. Of a small letter and a capital behind it, none are. */
export const NO_PAIRS =
  "bqgkgqjvjzkqkzlqnqqfqgqjqkqvqzrjtqwqwzxgxjxkxqxvxwyqzjzqzvAqBfBqBvBzCjCkCqCwCzDgDkDqEoEwFfFhFjFqFvFzGdGf" +
  "GgGkGmGqGvGxGzHcHfHhHjHkHnHqIhIuJbJcJdJfJgJjJkJmJpJqJrJtJvJwJxJzKcKfKjKkKpKqKxKzLhLkLqLrLwLxLzNfNnNqNwOa" +
  "OeOqPjPpPqPzQbQdQeQfQhQjQkQmQnQpQqQvQwQxQyQzRjRkRrRzSgSxTgTjTnTqTtTzUeUjUoUqUuVbVdVfVgVhVjVnVqVtVvVwVxWb" +
  "WcWfWgWjWkWlWmWnWqWvWwWzXbXcXfXgXhXjXkXlXnXoXqXrXvXwXxXyXzYbYcYdYfYgYhYjYkYlYpYqYtYvYwYxYyYzZbZcZfZgZkZl" +
  "ZpZqZrZsZtZxZyZzEJFJFQFZGJGQGZIYJHJQJXJYJZKJKQKXKZLJLQLZMZNQOQOZPZQFQGQHQJQKQOQWQXQYQZRZTQUOUQVJVQVYVZWJ" +
  "WQWZXGXHXJXKXQXUXWYBYFYHYIYJYQYVZBZCZJZKZLZPZQZV";

/**
 * Bits: which three characters are one token. First a space or a small letter and two small letters, in the order of
 * the alphabet; then a space, a capital and a small letter.
 */
export const TRIPLES =
  "///////7//////////////////e/7///v///////fH/1/e/3/79/////////////////fxfRX/z3////////////v///9/v/3+/9T75v" +
  "/fleb//b34HywGeSV71NHn9u+d4AQMBOgG/beR4FpFmEiedAxJgHlWVe/XV3vJnPUf8d1wAAAEQ2ewQAAMFfv8fd/RxHdnn8/ulOVJhF" +
  "T312TQQRlhFGUWQQxN98HlsAEEEAAAACAAD/P24iAAAAAABABAAAX2oOAwAAAAAAQESRRACAAAgAALDk5x0AAAEAAABEAEGAAIAAAQgA" +
  "aDwOAQAAAAAAAAAAAFAgDAAAAODC/wABAAAPQQCQgAjw8+sDGAAAAAEARLV5lZHuQUAAABFBDMUUGKAASAAACAIZuP6AAEIEAABARRRC" +
  "AAAmRCAbIsHrAAAAAAgAAAAAAAAgAAAAAEB//i8RIwFAAADARgJBf//uBgAQAAEAQAAAAH/0LkAAAAAAAEAQAgABAAAEBBDg1O8FQAAA" +
  "AAAARACBBICCAAAQABecniAAAAAAAAAAAAAAMAJABACAAKPIRJBEnWEc5gRxhINrQE4AB1lpHAEACICEogAAAACRTVzs/nO0Ed9R9x3P" +
  "AAAABAQRBAAAwVe/z5XVHFcmeQwAYEgEAAIBYBRUACOQEUYAAAAALzivAgAAQAAAAAQAAR9pTvQEMAAAAAAAAABPfI4AAAAAAAAABhBG" +
  "AAAIAAQAgITmCAAAAQAAAEREAQAQiUBEIEEAOAYAAAAAAAAAAAAAACACAAAAsInvcwQABAQAAAAAALDP7zYAACARAwAFBCCQh+ZDAAAA" +
  "AAAAQERABACAQAQABAh4bgAAUAAAAEAEMEQAEAhAEAAQkeMAAAAAAQAAAAAAAJABIAAAAO/9fgMAAAAACAAAggB7//4DAAAAAAAAIAAA" +
  "D7wPAAAAAAAAQEQAAhEAAEQAIPDX7ycAIAAAAABEADAAAIBARBAGSz0OAAAAEAAAAAAAAAiAQgAAAOD5/+NkkkeVTRznZnnu/utvTJJH" +
  "2XkeQSRAgBDCQk47B5FNXmV3cbQdzVH/ee9NOr9UJvsEAABBV/dHn90cR2d5DIBLQESQRxEAAEQEARARBFBklMSPPe4DAAAAAAAABAEA" +
  "Xj4+AgAAAAAAAAAAAJk0DgAAAAAAAAAAAAAAgABEBAEgIWMREAAAAAAAAAAAAAAICAQAAEo8DgAAAAAAgAAAAAAAAAAAAACwuOsxAgAA" +
  "AAAAAAAAkLnrMgAAAAAABAAAAJCZ60AEAAARAABEAEAAAEAABAAAy/5+AgAAAAAAQAQAAAEBCMQESDDg6wEAAAABAAAAAAAAAIIAAAAA" +
  "7r1/ASAQgAAAwESAQ///7gMAAAABAEAEEAH/9j9HBEAAAABARhIGAAAAAAEA8O/vDwAAAAAAAAAAIBCRgAgMgQFHPK4AIAAQAAAAAAAA" +
  "QSQMAAAA0P7/eAAAAAAAAAgkAJDd4zgAAAAAAAIAAADQzeIoAAAAAAAABABAEhEBAAAAAkp8LgImCAAAAAAAAAFFAAgAABKAkOM4AQAA" +
  "AAAAAAAAAABIIAAAAPu/LwcACAAAAEBEkgH/f38DAAAQESQJAAAAnf8+RARBAAAAAAAAAAAAAEAAAMD+6weBBAAAAAAAAAAAQIBAZAJF" +
  "CjgOAAAAAAAAAAAAABERCAAAAIBAQsDkkkeVTR5vBlMMQEJASgBH0WkWBaRAhIDiQEQYBBFFXuR98TQZz1HXGcdI/gvUJnsEAADAX7/H" +
  "ld0cRSZ75NfrbkQYRRFpBEUEARQRRAEECEBNvV8BABAgGMEACBAAXb2vAyAAAAAAQESwQF3sjgAAAAAEgEBEEkMAIAAAAQCA9PtsRBRH" +
  "AAAAZAQxQBCAcGSQQQIoDgAAAIAAAAAAAAAAAAAAAAAggOMAAAAAAAAABAAAAAAAAAAAAAAAAAAAAIAAEgAAAAAAAAAABAAAgAAAAAAA" +
  "AAAAAAAAEAAAAQAAQgAAAAAAIBQRRAAAAAAAAAAAAAAAAAAAAAAA////AwAAAAgAAAgAAP///wMAACAAAAAAEAF//74DAAAAAAAAAAAA" +
  "AAAAZAEA4P//PwEEAAAAAAAAABAAyAABAgDqtQwCAAAAAAAAAAAAKDxMAAAAoMDrEgAAAJGAAgAQAPDf/xoAAAAAAQBEBEnwhesoAAAA" +
  "E0ESRQBAAABAAAIAATd4EOckCQSAAQABAAitjQxkVtklAOsAESgAAAAAAAAAAABDIAAAAGO/ngEgAAAACEAAAEBdv64CAAAAgABARJBF" +
  "Xb0OQAAAAAAAAAQAAQCIAAAAAND3/x0gAgAAAABENFEWUABYRCJFADACAAAAAAAEAAAIAgCQRAAAADDs88BkkkWVTR5mBlOs0ONgTAAH" +
  "32kdRKRAsIXiQUQQBJFFHOV1c7SRz1HXOccAIgxkJnsEAADAXr/Hn8Ue10Z5jADjQUQQFBkAAEQAABARBEFEEISd/w4AAAAAAAAAAAAA" +
  "3D8eAwAAAIAAAAAAAN38LgIAAAAAAAAAEAAAAAAAAADAtHM5AAgAAAAAYAAhAAAIAAABABAwBgAAABAAAAAAAAAABAAAAACw3OsbAAAA" +
  "gAAABAAAoN3jMAAAAAAAAAAAAdTl4iAAAAAAAAAAAAAAAAAAEgAAgGhCAAAQAAAAAAABAAAAAAIAAAAAIAAAAAAAAEAAAACAgGIAAAAA" +
  "PwAA/AAA8AMAwA8AAD8IBvwAAAAAAAAAgAAFMCwAAAAAAAAAAAABAAgAAAAAAAAiAAAAAAAAAAAAAAAAAEAAEEAAAAAAAAAAAAAAAAAg" +
  "AAAAAgAAUNjjFAAAAIAIACIEAIDB4iIAAAAAAAABAAAAEAIAAAAAAAgARCAABBEFUEcYRgAgFkAAAAQAAABEAEFRFQgHBmEEAAMAAAAA" +
  "AAAAAAAAAAAAEAAAAMz8DgAAABAAACAAAABdv04CAAAAAAAAQAAAcf4eAQAAEBAEEAAAAAAAAEQEAASAYgEAAAAAAAAAAAAAAABABAAA" +
  "YhwOAAAAEAEAAAAAAEQ0AAQAAfj////2kle52T5fLnn///v/xZpnk2tSbS3L/d/vemSQRdF7dkWs4fTf79X3le/u/v7/J/kXEIRBZzBn" +
  "v/9//zfbt97rdEyXRZFBlkVEYBARZ0FmGFw=";
