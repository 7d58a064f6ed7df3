/** Values of scripts for shells are computed and put in their place, and code that is text is found. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { withinBudget } from '#inspect/core/work.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { parsePosix } from './posix/posix.ts'
import { parsePowerShell } from './powershell/powershell.ts'
import { type Resolved, resolve, TOGETHER_MAX } from './resolve.ts'

const quoted = (text: string): string => `'${text}'`
const powerShell = (source: string): Resolved => resolve(source, parsePowerShell, quoted)
const posix = (source: string): Resolved => resolve(source, parsePosix, quoted)

/** The last argument of the last line, which is `found`. */
const POWERSHELL: Record<string, string> = {
  'an added text': "go ('fo' + 'und')",
  'a variable': "$a = 'fou'; $a += 'nd'; go $a",
  'a typed variable': "[string]$a = 'found'; go $a",
  'a name in braces': "\x24{a b} = 'found'; go \x24{a b}",
  'a scope': "$global:a = 'found'; go $a",
  'an expanded text': '$a = \'ou\'; go "f$($a)nd"',
  'a here-string': "$a = @'\nfound\n'@\ngo $a",
  'character codes': 'go (-join [char[]](102,111,117,110,100))',
  'characters by a pipe': 'go (-join (102,111,117,110,100 | % { [char]$_ }))',
  'masked codes': 'go (-join (71,78,84,79,69 | ForEach-Object { [char]($_ -bxor 33) }))',
  'the format operator': "go ('{2}{0}{1}' -f 'n','d','fou')",
  'a pattern': "go ('fXoXuXnXd' -replace 'x', '')",
  'a pattern with its case': "go ('fXouXnd' -creplace 'X', '')",
  'a method': "go 'fXound'.Replace('X', '')",
  'a slice': "go 'xxfoundxx'.Substring(2, 5)",
  'a range of places': "go (-join 'dnuof'[4..0])",
  'negative places': "go (-join 'dnuof'[-1..-5])",
  'characters turned round': "$a = 'dnuof'.ToCharArray(); [array]::Reverse($a); go (-join $a)",
  Base64: "go ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('Zm91bmQ=')))",
  'Base64 of UTF-16': "go ([Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('ZgBvAHUAbgBkAA==')))",
  'hexadecimal numbers': "go (-join ('66 6f 75 6e 64' -split ' ' | % { [char][Convert]::ToInt32($_, 16) }))",
  'a table': "$t = @{ a = 'found' }; go $t.a",
  'a table by key': "$t = @{ a = 'found' }; go $t['a']",
  'a list': "$l = 'x', 'found'; go $l[1]",
  'a function': "function f { 'found' }\ngo (f)",
  'named parameters': "function f($a, $b) { return $b + $a }\ngo (f -b 'fou' -a 'nd')",
  'a param block': "function f {\n  param([string]$a)\n  return $a\n}\ngo (f 'found')",
  'a script block': "go (& { param($a) $a } 'found')",
  'a kept script block': "$s = { 'found' }; go (& $s)",
  'a condition': "if (1 -eq 1) { $a = 'found' } else { $a = 'other' }; go $a",
  'a loop': "$a = ''; foreach ($c in 'f','o','u','n','d') { $a += $c }; go $a",
  'a counted loop': "$a = ''; for ($i = 0; $i -lt 5; $i++) { $a += 'found'[$i] }; go $a",
  'a loop with its test behind': "$a = ''; do { $a += 'found' } while ($false); go $a",
  'a switch': "switch (2) { 1 { $a = 'other' } 2 { $a = 'found' } }; go $a",
  'numbers of letters': "go (-join ('gpvoe'.ToCharArray() | % { [char]([int]$_ - 1) }))",
  'an error of a number': "try { [int]'x' } catch { $a = 'found' }; go $a",
  'an expanded text that is made': "$a = 'und'; go $ExecutionContext.InvokeCommand.ExpandString('fo' + '$a')",
  'the values of a table': "$t = [ordered]@{ a = 'fo'; b = 'und' }; go ($t.Values -join '')",
  'an item of a pipe': "go ('x', 'found' | Select-Object -Index 1)",
  'a list in another order':
    "go ((@{ n = 2; t = 'und' }, @{ n = 1; t = 'fo' } | Sort-Object { $_.n } | % { $_.t }) -join '')",
  JSON: 'go (\'{"a": "found"}\' | ConvertFrom-Json).a',
  'lines of data': "$d = ConvertFrom-StringData 'a=found'; go $d.a",
  'what a pattern found': "$a = 'x<found>'; $b = $a -match '<(.*)>'; go $Matches[1]",
  'a match': "go ([regex]::Match('x<found>', '<(.*)>').Groups[1].Value)",
  'letters by a pattern':
    "$a = ''; foreach ($c in 'f1ound'.ToCharArray()) { if ($c -cmatch '[a-z]') { $a += $c } }; go $a",
  'a protected text':
    "$s = ConvertTo-SecureString 'found' -AsPlainText -Force; go ([Runtime.InteropServices.Marshal]::PtrToStringAuto([Runtime.InteropServices.Marshal]::SecureStringToBSTR($s)))",
  'references to characters': "go ([Net.WebUtility]::HtmlDecode('&#102;ound'))",
  'a handler': "try { throw 'x' } catch { $a = 'found' }; go $a",
  'the value of a condition': "$a = if ($true) { 'found' } else { 'other' }; go $a",
  'a variable of the environment': "$env:abc = 'found'; go $env:abc",
  'Set-Variable': "Set-Variable a 'found'; go (Get-Variable a).Value",
  'joined texts': "go ([string]::Join('', ('fo', 'und')))",
  'a text that grows': "$b = New-Object Text.StringBuilder; [void]$b.Append('fo').Append('und'); go $b.ToString()",
  'a list that grows':
    "$l = New-Object Collections.ArrayList; [void]$l.Add('fo'); [void]$l.Add('und'); go ($l -join '')",
  'items that are set':
    "$l = New-Object char[] 5; for ($i = 0; $i -lt 5; $i++) { $l[$i] = 'found'[$i] }; go (-join $l)",
  'a block that sets a variable': "$a = ''; 'fo', 'und' | % { $a += $_ }; go $a",
  'the last item': "go ('other', 'found' | Select-Object -Last 1)",
  'letters that pass': "go (-join ('fXoXuXnXd'.ToCharArray() | ? { $_ -ne 'X' }))",
  'escaped addresses': "go ([Uri]::UnescapeDataString('%66ound'))",
  'escapes of patterns': "go ([regex]::Unescape('\\x66ound'))",
  'matches from the right': "go (([regex]::Matches('dnuof', '.', 'RightToLeft') | % { $_.Value }) -join '')",
  'several separators': "go (-join ('f-o~und' -split '-' -split '~'))",
  'a filter': 'filter d { [char]($_ / 3) }\ngo (-join ((306, 333, 351, 330, 300) | d))',
  'masked bytes':
    "$b = [Convert]::FromBase64String('Z250b2U='); for ($i = 0; $i -lt $b.Count; $i++) { $b[$i] = $b[$i] -bxor 1 }; go ([Text.Encoding]::ASCII.GetString($b))",
  'letters of a folder': "go ('fo' + $PSHOME[22].ToString().Replace('n', 'und'))",
  'a here-string with quotes': '$a = \'un\'\n$b = @"\nfo$("$a")d\n"@\ngo $b',
  comments: "$a = <# x #> 'found' # y\ngo $a",
  'a continued line': "$a = `\n  'found'\ngo $a",
}

const UNIX: Record<string, string> = {
  'a variable': 'a=fou; a="\x24{a}nd"; go "$a"',
  'pieces side by side': 'go f\'ou\'"n"d',
  'escaped letters': 'go f\\o\\und',
  'octal numbers': 'go "$(printf \'\\146\\157\\165\\156\\144\')"',
  'hexadecimal numbers': "go $'\\x66\\x6f\\x75\\x6e\\x64'",
  'echo with escapes': 'go "$(echo -e \'\\x66ound\')"',
  'printf with values': 'go "$(printf \'%s%s\' fou nd)"',
  Base64: 'go "$(echo Zm91bmQ= | base64 -d)"',
  'Base64 of a here-string': 'go "$(base64 --decode <<< Zm91bmQ=)"',
  'hexadecimal digits': 'go "$(echo 666f756e64 | xxd -r -p)"',
  'reversed text': 'go "$(echo dnuof | rev)"',
  'translated letters': "go \"$(echo sbhaq | tr 'a-z' 'n-za-m')\"",
  'removed letters': 'go "$(echo fXoXuXnXd | tr -d X)"',
  'a pattern': 'go "$(echo fXouXnd | sed \'s/X//g\')"',
  'a replaced part': 'a=fXouXnd; go "\x24{a//X/}"',
  'a slice': 'a=xxfoundxx; go "\x24{a:2:5}"',
  'a default': 'go "\x24{nothing:-found}"',
  'an array': 'a=(x found); go "\x24{a[1]}"',
  'upper case': 'a=FOUND; go "\x24{a,,}"',
  'a function': 'f() { printf %s found; }\ngo "$(f)"',
  'an argument': 'f() { printf %s "$1"; }\ngo "$(f found)"',
  backquotes: 'go `echo found`',
  'a condition': 'if true; then a=found; else a=found; fi; go "$a"',
  'a case': 'case 1 in\n0) a=other ;;\n1) a=found ;;\nesac\ngo "$a"',
  'a loop': 'a=; for c in f o u n d; do a="$a$c"; done; go "$a"',
  read: 'read -r a <<< found; go "$a"',
  'a here-document': 'a=$(cat <<\'END\'\nfound\nEND\n)\ngo "$a"',
  'an item by a variable': 'a=(x found); i=1; go "\x24{a[$i]}"',
  'a named variable': 'a=found; n=a; go "\x24{!n}"',
  'a cut beginning': 'a=xxfound; go "\x24{a#xx}"',
  'a cut beginning to the last sign': 'a=x@y@found; go "\x24{a##*@}"',
  'a cut end': 'a=foundxx; go "\x24{a%xx}"',
  'swapped case': 'a=FOUND; go "\x24{a~~}"',
  'a slice by a variable': 'a=xxfound; i=2; go "\x24{a:$i:5}"',
  'octal numbers of a loop': 'for i in 102 111 117 110 100; do a="$a$(printf "\\\\$(printf %03o $i)")"; done; go "$a"',
  'what a loop writes': 'go "$(for c in f o u n d; do printf %s "$c"; done)"',
  'a sum': 'a=2; b=xxfound; i=$((a * 1)); go "\x24{b:$i:5}"',
  'a range of letters': 'l=({a..z}); go "\x24{l[5]}ound"',
  'printf with escapes': "go \"$(printf '%b' '\\x66ound')\"",
  'all items': 'a=(f o u n d); go "$(printf %s "\x24{a[@]}")"',
  'the arguments of the script': 'set -- found; go "$@"',
  'no arguments': 'go f$@ou$*nd',
  'arguments one by one': 'set -- x fou nd; shift; while [ $# -gt 0 ]; do a="$a$1"; shift; done; go "$a"',
  'all arguments': 'set -- f o u n d; for i; do a="$a$i"; done; go "$a"',
  'a function that takes many arguments': 'f() { shift; printf %s "$@"; }; go "$(f x f o u n d)"',
  'a function that reads': 'f() { rev; }; go "$(echo dnuof | f)"',
  'another name': 'b=found; declare -n a=b; go "$a"',
  'items by names': 'declare -A a; a[x]=fou; a[y]=nd; go "\x24{a[x]}\x24{a[y]}"',
  'a list by names': 'declare -A a=([x]=fou [y]=nd); go "\x24{a[x]}\x24{a[y]}"',
  'a default that is kept': ': "\x24{a:=found}"; go "$a"',
  'an alternative': 'b=1; go "\x24{b:+found}"',
  'lines as a list': 'mapfile -t a <<\'END\'\nfo\nund\nEND\ngo "$(printf %s "\x24{a[@]}")"',
  'lines of commands': 'readarray -t a < <(printf "%s\\n" x found); go "\x24{a[1]}"',
  'a loop that counts': 'a=dnuof; for ((i=\x24{#a}-1; i>=0; i--)); do b+="\x24{a:$i:1}"; done; go "$b"',
  'a loop with a test': 'a=dnuof; i=\x24{#a}; while ((i > 0)); do ((i--)); b+=\x24{a:i:1}; done; go "$b"',
  'a loop over lines': 'while IFS= read -r l; do a+=$l; done <<\'END\'\nfo\nund\nEND\ngo "$a"',
  'numbers of a command': 'l=(f o u n d); for i in $(seq 0 4); do a+=\x24{l[i]}; done; go "$a"',
  'fields that are read': 'IFS=: read -r a b <<< x:found; go "$b"',
  'fields as a list': 'IFS=: read -ra a <<< x:found; go "\x24{a[1]}"',
  'bytes from the start': 'go "$(echo foundx | head -c 5)"',
  'bytes from the end': 'go "$(printf %s xfound | tail -c 5)"',
  'a field': 'go "$(echo x:found:y | cut -d: -f2)"',
  'several replacements': 'go "$(echo f1und2 | sed -e s/1/o/ -e s/2//)"',
  'a packed text': 'go "$(echo H4sIAAAAAAACA0vLL81LAQDjUc3ZBQAAAA== | base64 -d | gunzip)"',
  'an arm with a pattern': 'f() { case $1 in x*) echo other ;; b?) echo found ;; esac; }; go "$(f b1)"',
  'escapes of a variable': 'a=\'\\x66ound\'; go "\x24{a@E}"',
  'letters turned round': 'go "$(echo dnuof | fold -w1 | tac | tr -d "\\n")"',
  Base32: 'go "$(echo MZXXK3TE | base32 -d)"',
  'a here-document with quotes': 'b=und\na=$(cat <<END | tr -d \'"\'\n"fo"$b\nEND\n)\ngo "$a"',
  comments: 'a=found # x\ngo "$a"',
}

suite('a value of PowerShell', () => {
  for (const [name, source] of Object.entries(POWERSHELL))
    test(`is computed: ${name}`, () =>
      assert.match(powerShell(source).copies.join('\n'), /^go 'found'|[;\n] ?go 'found'/m))

  test('is each that it may be', () => {
    const { copies } = powerShell("if ((Get-Date).Hour -gt 9) { $a = 'one' } else { $a = 'two' }; go $a")
    assert.deepEqual(copies.map((copy) => copy.slice(-5)).sort(), ["'one'", "'two'"])
  })

  test('stays as it is when it is not known', () => assert.deepEqual(powerShell('go (Get-Date)').copies, []))

  test('of the computer stays by its name', () => assert.deepEqual(powerShell('go "$env:TEMP\\a"').copies, []))

  for (const source of [
    "iex ('ca' + 'lc')",
    "'calc' | iex",
    "& ('i' + 'ex') 'calc'",
    "[scriptblock]::Create('ca' + 'lc')",
  ])
    test(`is code: ${source}`, () => assert.deepEqual(powerShell(source).codes, ['calc']))
})

suite('a value of a Unix shell', () => {
  for (const [name, source] of Object.entries(UNIX))
    test(`is computed: ${name}`, () => assert.match(posix(source).copies.join('\n'), /(?:^|[;\n] ?)go 'found'/))

  for (const source of [
    'eval "ca""lc"',
    "bash -c 'calc'",
    'echo Y2FsYw== | base64 -d | sh',
    "sh <<'END'\ncalc\nEND\n",
    'sh <<< calc',
    'bash <(printf %s calc)',
    '. <(printf %s calc)',
    'echo Y2FsYw== | base64 -d | $0',
  ])
    test(`is code: ${source}`, () => assert.deepEqual(posix(source).codes, ['calc']))
})

suite('the name of a program', () => {
  const NAMES: Record<string, string> = {
    quotes: "g'o' x",
    escapes: '\\g\\o x',
    braces: '{go,x}',
    separators: 'go\x24{IFS}x',
    'a variable': 'a=go; $a x',
    'an alias': "alias q='go'\nq x",
  }
  for (const [name, source] of Object.entries(NAMES))
    test(`is written as it is called: ${name}`, () => assert.match(posix(source).copies.join(), /(?:^|[;\n] ?)go x/))

  test('is that of a pattern', () => assert.match(posix('/???/b?n/c?rl -s x').copies.join(), /^curl -s x/))
})

suite('a script with very many parts', () => {
  for (const [name, source] of [
    ['statements', 'a\n'.repeat(200_000)],
    ['arguments', `x${' \\a'.repeat(150_000)}`],
    ['programs that start others', 'sudo '.repeat(100_000)],
    ['sets of letters', `echo a | tr '${'\x01-\uffff'.repeat(5_000)}' b`],
  ] as const)
    test(`is read: ${name}`, () => {
      for (const read of [powerShell, posix]) assert.doesNotThrow(() => read(source))
    })
})

suite('a long script', () => {
  const call = "go ('fo' + 'und')"
  for (const [name, length] of [
    ['at the limit', TOGETHER_MAX],
    ['one past it', TOGETHER_MAX + 1],
    ['twice as long', TOGETHER_MAX * 2],
  ] as const)
    test(`is computed to its end: ${name}`, () => {
      const lines = '# a line that says nothing\n'.repeat(length / 27).padEnd(length - call.length - 1, '#')
      assert.match(powerShell(`${lines}\n${call}`).copies.join(), /go 'found'/)
    })
})

suite('a script that is made to take long', () => {
  const LENGTH = 20_000
  const pumps = [
    '(',
    '{',
    '[',
    '$(',
    '"$(',
    '@(',
    "'",
    '"',
    '`',
    '<#',
    '<<a ',
    '\x24{',
    'if (',
    'function a {',
    'a | ',
    '-join ',
    ', ',
    '[a]',
    'case a in ',
    '. ',
    '&',
    '; ',
    '\n',
    '@{',
    '\\',
    '$a=',
    '$((\n',
    'a-',
    'param(<#\n',
    'param([',
    '[a[',
    'try {} catch ',
  ]
  const WORK_MAX = 1_500_000_000
  for (const pump of pumps)
    test(`ends: ${JSON.stringify(pump)}`, () => {
      const source = pump.repeat(Math.ceil(LENGTH / pump.length))
      for (const read of [powerShell, posix])
        assert.equal(
          withinBudget({ workMax: WORK_MAX, keptBytesMax: WORK_MAX }, () => void read(source)).exceeded,
          false,
        )
    })
})

suite('any text', () => {
  const PIECES =
    '( ) { } [ ] " \' ` $ $( ${ @( @{ <<E <<< | || && & # \\ a a= $a if then fi for do done case in esac ;; ; function = + - % ? , . :: 1 eval while'
      .split(' ')
      .concat('\n', '\r', ' ', '\0', '"$(', '@"\n')
  const WORK_MAX = 1_000_000
  for (const parse of [parsePosix, parsePowerShell])
    test(`is read to its end by ${parse.name}`, () => {
      const random = randomFrom(1)
      for (let i = 0; i < 4_000; i++) {
        const source = Array.from({ length: 24 }, () => PIECES[random(PIECES.length)]).join('')
        const limits = { workMax: WORK_MAX, keptBytesMax: WORK_MAX }
        assert.equal(withinBudget(limits, () => void parse(source)).exceeded, false, JSON.stringify(source))
      }
    })
})
