/** Python, PowerShell, shell and batch: what the transformations need of them. */
import {
  base64,
  chunks,
  codesOf,
  indent,
  JUNK,
  KEY,
  type Kit,
  littered,
  masked,
  reversed,
  utf16,
  whole,
} from './kits.ts'

const pythonText = (value: string): string => JSON.stringify(value)

export const python: Kit = {
  text: pythonText,
  add: (...parts) => parts.join(' + '),
  set: (name, value) => `${name} = ${value}`,
  name: (name) => name,
  define: (name, parameters, lines, result) => [
    `def ${name}(${parameters.join(', ')}):`,
    ...indent([...lines, `return ${result}`]),
  ],
  call: (name, ...values) => `${name}(${values.join(', ')})`,
  procedure: (name, lines) => [`def ${name}():`, ...indent(lines)],
  run: (name) => `${name}()`,
  when: (condition, then, otherwise) => [
    `if ${condition}:`,
    ...indent(then),
    ...(otherwise === undefined ? [] : ['else:', ...indent(otherwise)]),
  ],
  always: '__import__("time").time() > 9',
  never: '__import__("time").time() < 9',
  repeat: (variable, count, lines) => [`for ${variable} in range(${count}):`, ...indent(lines)],
  once: (lines) => ['turns = 1', 'while turns > 0:', ...indent([...lines, 'turns -= 1'])],
  choose: (value, arms) =>
    arms.flatMap((arm, i) => [
      `${i === 0 ? 'if' : 'elif'} int(__import__("time").time()) * 0 + ${value} == ${i}:`,
      ...indent(arm),
    ]),
  attempt: (lines, handler) => ['try:', ...indent(lines), 'except Exception:', ...indent(handler)],
  fail: 'int("x")',
  comment: (text) => `# ${text}`,
  values: {
    'character codes': (value) => `"".join(map(chr, [${codesOf(value)}]))`,
    'a list of chr': (value) => `"".join([chr(c) for c in [${codesOf(value)}]])`,
    'reversed text': (value) => `${pythonText(reversed(value))}[::-1]`,
    'junk removed': (value) => `${pythonText(littered(value))}.replace("${JUNK}", "")`,
    'pieces of a list': (value) => `"".join([${chunks(value, 4).map(pythonText)}])`,
    'a slice of a longer text': (value) => `${pythonText(`abc${value}defg`)}[3:${3 + value.length}]`,
    Base64: (value) => `__import__("base64").b64decode("${base64(value)}").decode()`,
    'hexadecimal digits': (value) => `bytes.fromhex("${Buffer.from(value).toString('hex')}").decode()`,
    'a dictionary': (value) => `{"a": "b", "c": ${pythonText(value)}}["c"]`,
    'an element': (value) => `("x", ${pythonText(value)}, "y")[1]`,
    'a format': (value) => `"{1}{0}".format(${pythonText(value.slice(5))}, ${pythonText(value.slice(0, 5))})`,
    'per cent': (value) => `"%s%s" % (${pythonText(value.slice(0, 5))}, ${pythonText(value.slice(5))})`,
    'an f-string': (value) => `f"{${pythonText(value).replaceAll('"', "'")}}"`,
    'a masked list': (value) => `"".join(chr(c ^ ${KEY}) for c in [${masked(value)}])`,
    'a lambda': (value) => `(lambda a: a)(${pythonText(value)})`,
    'a conditional expression': (value) => `(${pythonText(value)} if __import__("time").time() > 9 else "true")`,
    'bytes and decode': (value) => `bytes([${codesOf(value)}]).decode("ascii")`,
    'a large number': (value) =>
      `(${BigInt(`0x${Buffer.from(value).toString('hex')}`)}).to_bytes(${value.length}, "big").decode()`,
    'packed numbers': (value) => `__import__("struct").pack("${value.length}B", *[${codesOf(value)}]).decode()`,
    'a pattern replaced by a function': (value) =>
      `__import__("re").sub("~(\\d+)~", lambda m: chr(int(m.group(1))), "${codesOf(value)
        .map((code) => `~${code}~`)
        .join('')}")`,
    'a partial function': (value) =>
      `__import__("functools").partial(lambda a, b: a + b, ${pythonText(value.slice(0, 5))})(${pythonText(value.slice(5))})`,
    rot13: (value) => `__import__("codecs").decode(${pythonText(rot13(value))}, "rot13")`,
  },
  made: {
    'text that grows': (value, fresh) => {
      const name = fresh()
      return {
        before: [`${name} = ""`, ...chunks(value, 6).map((piece) => `${name} += ${pythonText(piece)}`)],
        value: name,
      }
    },
    'a masked text in a loop': (value, fresh) => {
      const [out, each] = [fresh(), fresh()]
      return {
        before: [`${out} = ""`, `for ${each} in [${masked(value)}]:`, `  ${out} += chr(${each} ^ ${KEY})`],
        value: out,
      }
    },
    'a class': (value, fresh) => {
      const type = fresh()
      return {
        before: [
          `class ${type}:`,
          '  def __init__(self, v):',
          '    self.v = v',
          '  def got(self):',
          '    return self.v',
        ],
        value: `${type}(${pythonText(value)}).got()`,
      }
    },
    'a closure': (value, fresh) => {
      const [outer, inner] = [fresh(), fresh()]
      return {
        before: [`def ${outer}(a):`, `  def ${inner}(b):`, '    return a + b', `  return ${inner}`],
        value: `${outer}(${pythonText(value.slice(0, 5))})(${pythonText(value.slice(5))})`,
      }
    },
    'a property': (value, fresh) => {
      const type = fresh()
      return {
        before: [`class ${type}:`, '  @property', '  def c(self):', `    return ${pythonText(value)}`],
        value: `${type}().c`,
      }
    },
    'a text of an object': (value, fresh) => {
      const type = fresh()
      return {
        before: [`class ${type}:`, '  def __str__(self):', `    return ${pythonText(value)}`],
        value: `str(${type}())`,
      }
    },
    'the text of an error': (value, fresh) => {
      const name = fresh()
      return {
        before: ['try:', `  raise ValueError(${pythonText(value)})`, 'except ValueError as e:', `  ${name} = str(e)`],
        value: name,
      }
    },
    'several names at once': (value, fresh) => {
      const [one, two] = [fresh(), fresh()]
      return {
        before: [`${one}, ${two} = ${pythonText(value.slice(0, 5))}, ${pythonText(value.slice(5))}`],
        value: `${one} + ${two}`,
      }
    },
    recursion: (value, fresh) => {
      const name = fresh()
      return {
        before: [`def ${name}(l):`, `  return "" if not l else l[0] + ${name}(l[1:])`],
        value: `${name}([${chunks(value, 9).map(pythonText)}])`,
      }
    },
  },
  texts: whole((text) => `# ${text}`),
  evaluate: {
    exec: (code) => [`exec(${pythonText(code)})`],
    'exec of Base64': (code) => [`exec(__import__("base64").b64decode("${base64(code)}"))`],
    'exec of compiled text': (code) => [`exec(compile(${pythonText(code)}, "x", "exec"))`],
  },
  program: (definitions, lines) => [...definitions, ...lines].join('\n'),
}

function rot13(value: string): string {
  return value.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

const powerText = (value: string): string => `'${value.replaceAll("'", "''")}'`

export const powershell: Kit = {
  text: powerText,
  add: (...parts) => `(${parts.join(' + ')})`,
  set: (name, value) => `$${name} = ${value}`,
  name: (name) => `$${name}`,
  define: (name, parameters, lines, result) => [
    `function ${name}(${parameters.map((each) => `$${each}`).join(', ')}) {`,
    ...indent([...lines, `return ${result}`]),
    '}',
  ],
  call: (name, ...values) => `(${name} ${values.join(' ')})`,
  procedure: (name, lines) => [`function ${name} {`, ...indent(lines), '}'],
  run: (name) => name,
  when: (condition, then, otherwise) => [
    `if (${condition}) {`,
    ...indent(then),
    ...(otherwise === undefined ? [] : ['} else {', ...indent(otherwise)]),
    '}',
  ],
  always: '(Get-Date).Year -gt 1999',
  never: '(Get-Date).Hour -gt 99',
  repeat: (variable, count, lines) => [
    `for ($${variable} = 0; $${variable} -lt ${count}; $${variable}++) {`,
    ...indent(lines),
    '}',
  ],
  once: (lines) => ['$turns = 1', 'while ($turns -gt 0) {', ...indent([...lines, '$turns--']), '}'],
  choose: (value, arms) => [
    `switch (${value}) {`,
    ...arms.flatMap((arm, i) => [`  ${i} {`, ...indent(indent(arm)), '  }']),
    '}',
  ],
  attempt: (lines, handler) => ['try {', ...indent(lines), '} catch {', ...indent(handler), '}'],
  fail: "throw 'x'",
  comment: (text) => `# ${text}`,
  values: {
    'character codes': (value) => `(-join [char[]](${codesOf(value)}))`,
    'added characters': (value) =>
      `(${codesOf(value)
        .map((code, i) => `${i === 0 ? '[string]' : ''}[char]${code}`)
        .join('+')})`,
    'the format operator': (value) => `('{1}{0}' -f ${powerText(value.slice(5))}, ${powerText(value.slice(0, 5))})`,
    'reversed text': (value) => `(-join ${powerText(reversed(value))}[${value.length - 1}..0])`,
    'junk removed': (value) => `(${powerText(littered(value))} -replace '${JUNK}', '')`,
    'junk removed by a method': (value) => `${powerText(littered(value))}.Replace('${JUNK}', '')`,
    'pieces of a list': (value) => `(@(${chunks(value, 4).map(powerText).join(', ')}) -join '')`,
    'a slice of a longer text': (value) => `${powerText(`abc${value}defg`)}.Substring(3, ${value.length})`,
    Base64: (value) => `([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${base64(value)}')))`,
    'Base64 of UTF-16': (value) =>
      `([System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String('${Buffer.from(value, 'utf16le').toString('base64')}')))`,
    'a table': (value) => `@{ a = 'b'; c = ${powerText(value)} }.c`,
    'an element': (value) => `@('x', ${powerText(value)}, 'y')[1]`,
    'a double-quoted text with ticks': (value) =>
      `"${value
        .replaceAll('"', '`"')
        .replaceAll('$', '`$')
        .replace(/(.{4})(?=[c-eg-mo-qsw-z])/g, '$1`')}"`,
    'a masked list': (value) => `(-join (@(${masked(value)}) | ForEach-Object { [char]($_ -bxor ${KEY}) }))`,
    'a script block': (value) => `(& { param($a) $a } ${powerText(value)})`,
    'a here-string': (value) => `@'\n${value}\n'@`,
  },
  made: {
    'text that grows': (value, fresh) => {
      const name = fresh()
      return {
        before: [`$${name} = ''`, ...chunks(value, 6).map((piece) => `$${name} += ${powerText(piece)}`)],
        value: `$${name}`,
      }
    },
    'a masked text in a loop': (value, fresh) => {
      const [out, each] = [fresh(), fresh()]
      return {
        before: [
          `$${out} = ''`,
          `foreach ($${each} in @(${masked(value)})) { $${out} += [char]($${each} -bxor ${KEY}) }`,
        ],
        value: `$${out}`,
      }
    },
    'a field of a class': (value, fresh) => {
      const type = fresh()
      return { before: [`class ${type} { [string]$c = ${powerText(value)} }`], value: `([${type}]::new()).c` }
    },
    'a text that is thrown': (value, fresh) => {
      const name = fresh()
      return {
        before: [`try { throw ${powerText(value)} } catch { $${name} = $_.Exception.Message }`],
        value: `$${name}`,
      }
    },
    'several names at once': (value, fresh) => {
      const [one, two] = [fresh(), fresh()]
      return { before: [`$${one}, $${two} = 'a', ${powerText(value)}`], value: `$${two}` }
    },
    'an arm as a value': (value, fresh) => {
      const name = fresh()
      return { before: [`$${name} = switch (2) { 1 { 'a' } 2 { ${powerText(value)} } }`], value: `$${name}` }
    },
    'an environment variable': (value, fresh) => {
      const name = fresh()
      return { before: [`$env:${name} = ${powerText(value)}`], value: `$env:${name}` }
    },
    'Set-Variable': (value, fresh) => {
      const name = fresh()
      return {
        before: [`Set-Variable -Name ${name} -Value ${powerText(value)}`],
        value: `(Get-Variable ${name} -ValueOnly)`,
      }
    },
    'an expanded text': (value, fresh) => {
      const [one, two] = [fresh(), fresh()]
      return {
        before: [`$${one} = ${powerText(value.slice(0, 6))}`, `$${two} = ${powerText(value.slice(6))}`],
        value: `"$${one}$($${two})"`,
      }
    },
  },
  texts: {
    ...whole((text) => `# ${text}`),
    'other case': (program) => outside(program, /('(?:[^'\n]|'')*')/, (code) => swapCase(code)),
    'UTF-16': utf16,
    'block comments': (program) => program.replaceAll(' = ', ' <# a #> = '),
    'ticks in commands': (program) =>
      program
        .replace(/\b(I)(EX|nvoke-Expression)\b/g, '$1`$2')
        .replace(/\bNew-Object\b/g, 'N`ew-Obj`ect')
        .replace(/\bStart-Process\b/g, 'St`art-Proc`ess'),
  },
  evaluate: {
    IEX: (code) => [`IEX ${powerText(code)}`],
    'a script block': (code) => [`& ([scriptblock]::Create(${powerText(code)}))`],
    'a pipe': (code) => [`${powerText(code)} | Invoke-Expression`],
    'an encoded command': (code) => [`powershell -e ${Buffer.from(code, 'utf16le').toString('base64')}`],
  },
  program: (definitions, lines) => [...definitions, ...lines].join('\n'),
}

function swapCase(code: string): string {
  return [...code].map((each, i) => (i % 2 === 0 ? each.toUpperCase() : each.toLowerCase())).join('')
}

function outside(program: string, texts: RegExp, change: (code: string) => string): string {
  return program
    .split(texts)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('')
}

const shellText = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

export const shell: Kit = {
  text: shellText,
  add: (...parts) => parts.join(''),
  set: (name, value) => `${name}=${value}`,
  name: (name) => `"$${name}"`,
  define: (name, parameters, lines, result) => [
    `${name}() {`,
    ...indent([...parameters.map((each, i) => `${each}="$${i + 1}"`), ...lines, `printf %s ${result}`]),
    '}',
  ],
  call: (name, ...values) => `"$(${name} ${values.join(' ')})"`,
  procedure: (name, lines) => [`${name}() {`, ...indent(lines), '}'],
  run: (name) => name,
  when: (condition, then, otherwise) => [
    `if ${condition}; then`,
    ...indent(then),
    ...(otherwise === undefined ? [] : ['else', ...indent(otherwise)]),
    'fi',
  ],
  always: '[ "$(date +%Y)" -gt 1999 ]',
  never: '[ "$(date +%Y)" -lt 1999 ]',
  repeat: (variable, count, lines) => [
    `for ${variable} in ${Array.from({ length: count }, (_, i) => i).join(' ')}; do`,
    ...indent(lines),
    'done',
  ],
  once: (lines) => ['turns=1', 'while [ $turns -gt 0 ]; do', ...indent([...lines, 'turns=$((turns - 1))']), 'done'],
  choose: (value, arms) => [`case ${value} in`, ...arms.flatMap((arm, i) => [`${i})`, ...indent(arm), ';;']), 'esac'],
  comment: (text) => `# ${text}`,
  values: {
    'octal escapes': (value) =>
      `"$(printf '${codesOf(value)
        .map((code) => `\\${code.toString(8).padStart(3, '0')}`)
        .join('')}')"`,
    'hexadecimal escapes': (value) =>
      `$'${codesOf(value)
        .map((code) => `\\x${code.toString(16).padStart(2, '0')}`)
        .join('')}'`,
    'reversed text': (value) => `"$(echo ${shellText(reversed(value))} | rev)"`,
    Base64: (value) => `"$(echo ${base64(value)} | base64 -d)"`,
    'Base64 of a here-string': (value) => `"$(base64 -d <<< ${base64(value)})"`,
    'hexadecimal digits': (value) => `"$(echo ${Buffer.from(value).toString('hex')} | xxd -r -p)"`,
    'translated letters': (value) => `"$(echo ${shellText(rot13(value))} | tr 'A-Za-z' 'N-ZA-Mn-za-m')"`,
    'junk removed': (value) => `"$(echo ${shellText(littered(value))} | sed 's/${JUNK}//g')"`,
    'pieces side by side': (value) => chunks(value, 4).map(shellText).join(''),
    'double quotes': (value) => `"${value.replace(/["$`\\]/g, '\\$&')}"`,
    backslashes: (value) => value.replace(/[^\w]/g, '\\$&'),
  },
  made: {
    'text that grows': (value, fresh) => {
      const name = fresh()
      return {
        before: [`${name}=`, ...chunks(value, 6).map((piece) => `${name}="$${name}"${shellText(piece)}`)],
        value: `"$${name}"`,
      }
    },
    'junk removed by expansion': (value, fresh) => {
      const name = fresh()
      return { before: [`${name}=${shellText(littered(value))}`], value: `"\${${name}//${JUNK}/}"` }
    },
    'a slice of a variable': (value, fresh) => {
      const name = fresh()
      return { before: [`${name}=${shellText(`abc${value}defg`)}`], value: `"\${${name}:3:${value.length}}"` }
    },
    'an array': (value, fresh) => {
      const name = fresh()
      return { before: [`${name}=(x ${shellText(value)} y)`], value: `"\${${name}[1]}"` }
    },
    'a default': (value, fresh) => {
      const name = fresh()
      return { before: [], value: `"\${${name}:-${value.replace(/["$`\\}]/g, '\\$&')}}"` }
    },
    'read of a here-string': (value, fresh) => {
      const name = fresh()
      return { before: [`read -r ${name} <<< ${shellText(value)}`], value: `"$${name}"` }
    },
  },
  texts: whole((text) => `# ${text}`),
  evaluate: {
    eval: (code) => [`eval ${shellText(code)}`],
    'bash -c': (code) => [`bash -c ${shellText(code)}`],
    'Base64 to a shell': (code) => [`echo ${base64(code)} | base64 -d | bash`],
    'a here-document': (code) => ["bash <<'END'", code, 'END'],
  },
  program: (definitions, lines) => ['#!/bin/bash', ...definitions, ...lines].join('\n'),
}

const batchText = (value: string): string => value.replaceAll('%', '%%')

export const batch: Kit = {
  text: batchText,
  add: (...parts) => parts.join(''),
  set: (name, value) => `set "${name}=${value}"`,
  name: (name) => `%${name}%`,
  // A label that sets a variable: batch has no values of functions.
  define: () => [],
  call: () => '',
  procedure: () => [],
  run: () => '',
  when: (condition, then, otherwise) => [
    `if ${condition} (`,
    ...indent(then),
    ...(otherwise === undefined ? [] : [') else (', ...indent(otherwise)]),
    ')',
  ],
  always: 'exist "%SystemRoot%"',
  never: 'exist "Z:\\none"',
  repeat: (variable, count, lines) => [
    `for /l %%${variable.slice(0, 1)} in (1,1,${count}) do (`,
    ...indent(lines),
    ')',
  ],
  once: (lines) => ['for %%x in (1) do (', ...indent(lines), ')'],
  choose: (value, arms) => [
    `goto arm${value}`,
    ...arms.flatMap((arm, i) => [`:arm${i}`, ...arm, 'goto over']),
    ':over',
  ],
  comment: (text) => `rem ${text}`,
  values: {},
  made: {
    'pieces in variables': (value, fresh) => {
      const pieces = chunks(value, 6).map((piece) => [fresh(), piece] as const)
      return {
        before: pieces.map(([name, piece]) => `set "${name}=${batchText(piece)}"`),
        value: pieces.map(([name]) => `%${name}%`).join(''),
      }
    },
    'text that grows': (value, fresh) => {
      const name = fresh()
      return {
        before: [`set "${name}="`, ...chunks(value, 6).map((piece) => `set "${name}=%${name}%${batchText(piece)}"`)],
        value: `%${name}%`,
      }
    },
    'junk removed': (value, fresh) => {
      const name = fresh()
      return { before: [`set "${name}=${batchText(littered(value))}"`], value: `%${name}:${JUNK}=%` }
    },
    'a slice of a variable': (value, fresh) => {
      const name = fresh()
      return { before: [`set "${name}=abc${batchText(value)}defg"`], value: `%${name}:~3,${value.length}%` }
    },
    'letters of an alphabet': (value, fresh) => {
      const name = fresh()
      const letters = [...new Set(value)].filter((each) => /\w/.test(each)).join('')
      return {
        before: [`set "${name}=${letters}"`],
        value: [...value]
          .map((each) => (letters.includes(each) ? `%${name}:~${letters.indexOf(each)},1%` : batchText(each)))
          .join(''),
      }
    },
    'a loop over a text': (value, fresh) => {
      const name = fresh()
      return {
        before: [`for /f "tokens=2 delims=~" %%i in ("a~${batchText(value)}") do set "${name}=%%i"`],
        value: `%${name}%`,
      }
    },
    'parts in a loop': (value, fresh) => {
      const name = fresh()
      const parts = chunks(value, 7).map((part) => `"${batchText(part)}"`)
      return {
        before: [
          'setlocal enabledelayedexpansion',
          `set "${name}="`,
          `for %%p in (${parts.join(' ')}) do set "${name}=!${name}!%%~p"`,
        ],
        value: `!${name}!`,
      }
    },
    'a called label': (value, fresh) => {
      const name = fresh()
      return {
        before: [
          `call :${name} & goto after${name}`,
          `:${name}`,
          `set "${name}=${batchText(value)}"`,
          'goto :eof',
          `:after${name}`,
        ],
        value: `%${name}%`,
      }
    },
  },
  texts: {
    ...whole((text) => `rem ${text}`),
    'other case': (program) => outside(program, /("(?:[^"\n])*"|http\S+)/, (code) => swapCase(code)),
    'carets in words': (program) =>
      program
        .replace(/\b(power)(shell)\b/g, '$1^$2')
        .replace(/\b(cert)(util)\b/g, '$1^$2')
        .replace(/\b(msh)(ta)\b/g, '$1^$2'),
    'at signs': (program) =>
      program
        .split('\n')
        .map((line) => (/^[a-z]/i.test(line) ? `@${line}` : line))
        .join('\n'),
  },
  evaluate: {
    'cmd /c': (code) => [`cmd /c "${code.replaceAll('\n', ' & ')}"`],
    'a for loop': (code) => [`for /f "delims=" %%i in ("${code.replaceAll('%', '%%')}") do %%i`],
  },
  program: (definitions, lines) => ['@echo off', ...definitions, ...lines].join('\n'),
}
