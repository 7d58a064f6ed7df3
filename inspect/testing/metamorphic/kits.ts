/** How each language writes what a transformation needs. A form that a language has not got is left out. */

export interface Kit {
  text(value: string): string
  add(...parts: string[]): string
  set(name: string, value: string): string
  /** As an expression. */
  name(name: string): string
  define(name: string, parameters: readonly string[], lines: readonly string[], result: string): string[]
  call(name: string, ...values: string[]): string
  /** A procedure without parameters, and a statement that calls it. */
  procedure(name: string, lines: readonly string[]): string[]
  run(name: string): string
  when(condition: string, then: readonly string[], otherwise?: readonly string[]): string[]
  /** Conditions that only running the program can tell. */
  always: string
  never: string
  repeat(variable: string, count: number, lines: readonly string[]): string[]
  /** A loop that ends by itself after one turn, which cannot be known before. */
  once(lines: readonly string[]): string[]
  choose(value: number, arms: readonly (readonly string[])[]): string[]
  attempt?(lines: readonly string[], handler: readonly string[]): string[]
  fail?: string
  comment(text: string): string
  /** Expressions that are this text when they are evaluated. */
  values: Record<string, (value: string) => string>
  /** Forms of the text with statements before it. */
  made: Record<
    string,
    (value: string, fresh: () => string) => { definitions?: string[]; before: string[]; value: string }
  >
  /** Forms of whole programs that mean the same. */
  texts: Record<string, (program: string) => string | Buffer>
  /** Statements that run this code. */
  evaluate: Record<string, (code: string) => string[]>
  program(definitions: readonly string[], lines: readonly string[]): string
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
const codesOf = (value: string): number[] => [...value].map((each) => each.charCodeAt(0))
const base64 = (value: string): string => Buffer.from(value).toString('base64')
const reversed = (value: string): string => [...value].reverse().join('')
const chunks = (value: string, size: number): string[] => value.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
const BASIC_TEXT = /("(?:[^"\n]|"")*")/
const JAVASCRIPT_TEXT = /("(?:[^"\\\n]|\\.)*")/
const JUNK = 'qZ7'
const KEY = 37
const littered = (value: string): string => chunks(value, 3).join(JUNK)
const masked = (value: string): number[] => codesOf(value).map((code) => code ^ KEY)

const PADDING = (comment: (text: string) => string, count: number): string =>
  Array.from({ length: count }, (_, i) => comment(`line ${i} of the notes that nobody reads`)).join('\r\n')

const whole = (comment: (text: string) => string): Kit['texts'] => ({
  'comments between lines': (program) =>
    program
      .split('\n')
      .map((line) => `${comment('see above')}\n${line}`)
      .join('\n'),
  'padding before': (program) => `${PADDING(comment, 2_000)}\r\n${program}`,
  'padding behind': (program) => `${program}\r\n${PADDING(comment, 2_000)}`,
  'other line ends': (program) => program.replaceAll('\n', '\r\n'),
  'blank lines and tabs': (program) => program.replaceAll('\n', '\n\n\n').replaceAll('  ', '\t\t\t'),
})

const utf16 = (program: string): Buffer => Buffer.from(`\ufeff${program}`, 'utf16le')

const quote = (value: string): string => JSON.stringify(value)

export const javascript: Kit = {
  text: quote,
  add: (...parts) => parts.join(' + '),
  set: (name, value) => `var ${name} = ${value};`,
  name: (name) => name,
  define: (name, parameters, lines, result) => [
    `function ${name}(${parameters.join(', ')}) {`,
    ...indent([...lines, `return ${result};`]),
    '}',
  ],
  call: (name, ...values) => `${name}(${values.join(', ')})`,
  procedure: (name, lines) => [`function ${name}() {`, ...indent(lines), '}'],
  run: (name) => `${name}();`,
  when: (condition, then, otherwise) => [
    `if (${condition}) {`,
    ...indent(then),
    ...(otherwise === undefined ? [] : ['} else {', ...indent(otherwise)]),
    '}',
  ],
  always: 'new Date().getFullYear() > 1999',
  never: 'new Date().getHours() > 99',
  repeat: (variable, count, lines) => [
    `for (var ${variable} = 0; ${variable} < ${count}; ${variable}++) {`,
    ...indent(lines),
    '}',
  ],
  once: (lines) => [
    'var turns = new Date().getFullYear() > 1999 ? 1 : 0;',
    'while (turns-- > 0) {',
    ...indent(lines),
    '}',
  ],
  choose: (value, arms) => [
    `switch (${value} + new Date().getHours() * 0) {`,
    ...arms.flatMap((arm, i) => [`case ${i}:`, ...indent([...arm, 'break;'])]),
    '}',
  ],
  attempt: (lines, handler) => ['try {', ...indent(lines), '} catch (e) {', ...indent(handler), '}'],
  fail: 'null.x;',
  comment: (text) => `// ${text}`,
  values: {
    'character codes': (value) => `String.fromCharCode(${codesOf(value)})`,
    'reversed text': (value) => `${quote(reversed(value))}.split("").reverse().join("")`,
    'junk removed': (value) => `${quote(littered(value))}.split(${quote(JUNK)}).join("")`,
    'junk replaced by a pattern': (value) => `${quote(littered(value))}.replace(/${JUNK}/g, "")`,
    'pieces of a list': (value) => `[${chunks(value, 4).map(quote)}].join("")`,
    'a slice of a longer text': (value) => `${quote(`abc${value}defg`)}.substring(3, ${3 + value.length})`,
    'a member of an object': (value) => `({ a: "b", c: ${quote(value)} }).c`,
    'a computed member': (value) => `({ ab: ${quote(value)} })["a" + "b"]`,
    'an element': (value) => `["x", ${quote(value)}, "y"][1]`,
    unescape: (value) =>
      `unescape("${codesOf(value)
        .map((code) => `%${code.toString(16).padStart(2, '0')}`)
        .join('')}")`,
    'hexadecimal escapes': (value) =>
      `"${codesOf(value)
        .map((code) => `\\x${code.toString(16).padStart(2, '0')}`)
        .join('')}"`,
    'a conditional expression': (value) => `(new Date().getFullYear() > 1999 ? ${quote(value)} : "about:blank")`,
    'an immediate function': (value) => `(function (a) { return a })(${quote(value)})`,
    'the arguments of a function': (value) => `(function () { return arguments[1] })("x", ${quote(value)})`,
    'or, and a comma': (value) => `("" || (0, ${quote(value)}))`,
    'map of a list of codes': (value) =>
      `(function () { var r = ""; var l = [${masked(value)}]; for (var k in l) r += String.fromCharCode(l[k] ^ ${KEY}); return r })()`,
  },
  made: {
    'text that grows': (value, fresh) => {
      const name = fresh()
      return {
        before: [`var ${name} = "";`, ...chunks(value, 6).map((piece) => `${name} += ${quote(piece)};`)],
        value: name,
      }
    },
    'a table with shuffled order': (value, fresh) => {
      const [table, order, out, at] = [fresh(), fresh(), fresh(), fresh()]
      const pieces = chunks(value, 5)
      const places = pieces.map((_, i) => pieces.length - 1 - i)
      return {
        before: [
          `var ${table} = [${[...pieces].reverse().map(quote)}];`,
          `var ${order} = [${places}];`,
          `var ${out} = "";`,
          `for (var ${at} = 0; ${at} < ${order}.length; ${at}++) ${out} += ${table}[${order}[${at}]];`,
        ],
        value: out,
      }
    },
    'a masked text in a loop': (value, fresh) => {
      const [codes, out, at] = [fresh(), fresh(), fresh()]
      return {
        before: [
          `var ${codes} = [${masked(value)}], ${out} = "", ${at} = 0;`,
          `while (${at} < ${codes}.length) { ${out} += String.fromCharCode(${codes}[${at}++] ^ ${KEY}) }`,
        ],
        value: out,
      }
    },
    'a state machine': (value, fresh) => {
      const [state, out] = [fresh(), fresh()]
      const half = value.length >> 1
      return {
        before: [
          `var ${state} = 2, ${out} = "";`,
          `while (${state} != 0) { switch (${state}) { case 1: ${out} += ${quote(value.slice(half))}; ${state} = 0; break; case 2: ${out} = ${quote(value.slice(0, half))}; ${state} = 1; break; } }`,
        ],
        value: out,
      }
    },
    'a list of texts that is rotated': (value, fresh) => {
      const [list, turn] = [fresh(), fresh()]
      return {
        before: [
          `var ${list} = ["push", "shift", ${quote(value)}, "length"];`,
          `(function (a, n) { while (n--) a.push(a.shift()) })(${list}, 6);`,
          `var ${turn} = function (i) { return ${list}[i - 16] };`,
        ],
        value: `${turn}(16)`,
      }
    },
    'a closure': (value, fresh) => {
      const [make, name] = [fresh(), fresh()]
      return {
        before: [
          `var ${make} = function (a) { return function (b) { return a + b } };`,
          `var ${name} = ${make}(${quote(value.slice(0, 5))});`,
        ],
        value: `${name}(${quote(value.slice(5))})`,
      }
    },
    'an object of its own': (value, fresh) => {
      const [type, name] = [fresh(), fresh()]
      return {
        before: [
          `function ${type}(v) { this.v = v }`,
          `${type}.prototype.get = function () { return this.v };`,
          `var ${name} = new ${type}(${quote(value)});`,
        ],
        value: `${name}.get()`,
      }
    },
    recursion: (value, fresh) => {
      const name = fresh()
      return {
        before: [`function ${name}(l, i) { return i >= l.length ? "" : l[i] + ${name}(l, i + 1) }`],
        value: `${name}([${chunks(value, 9).map(quote)}], 0)`,
      }
    },
    'a property that is defined': (value, fresh) => {
      const name = fresh()
      const getter = `{ get: function () { return ${quote(value)} } }`
      return { before: [`var ${name} = {};`, `Object.defineProperty(${name}, "c", ${getter});`], value: `${name}.c` }
    },
    'the text of an error': (value, fresh) => {
      const name = fresh()
      return {
        before: [`var ${name};`, `try { throw new Error(${quote(value)}) } catch (e) { ${name} = e.message }`],
        value: name,
      }
    },
    'a value thrown': (value, fresh) => {
      const name = fresh()
      return { before: [`var ${name};`, `try { throw ${quote(value)} } catch (e) { ${name} = e }`], value: name }
    },
    'a later harmless local variable': (value, fresh) => {
      const [name, other] = [fresh(), fresh()]
      return {
        before: [
          `var ${name} = ${quote(value)};`,
          `function ${other}() { var ${name} = "about:blank"; return ${name} }`,
          `${other}();`,
        ],
        value: name,
      }
    },
  },
  texts: {
    ...whole((text) => `// ${text}`),
    'block comments': (program) =>
      outsideTexts(
        program,
        (code) => code.replaceAll(' = ', ' /* a */ = /* b */ ').replace(/;$/gm, ' /**/ ;'),
        JAVASCRIPT_TEXT,
      ),
  },
  evaluate: {
    eval: (code) => [`eval(${quote(code)});`],
    'new Function': (code) => [`new Function(${quote(code)})();`],
    'eval of pieces': (code) => [`eval([${chunks(code, 7).map(quote)}].join(""));`],
    'eval under another name': (code) => ['var ev = eval;', `ev(${quote(code)});`],
  },
  program: (definitions, lines) => [...definitions, ...lines].join('\n'),
}

const basicText = (value: string): string => `"${value.replaceAll('"', '""')}"`

const basicShared = {
  text: basicText,
  add: (...parts: string[]) => parts.join(' & '),
  set: (name: string, value: string) => `${name} = ${value}`,
  name: (name: string) => name,
  define: (name: string, parameters: readonly string[], lines: readonly string[], result: string) => [
    `Function ${name}(${parameters.join(', ')})`,
    ...indent([...lines, `${name} = ${result}`]),
    'End Function',
  ],
  call: (name: string, ...values: string[]) => `${name}(${values.join(', ')})`,
  procedure: (name: string, lines: readonly string[]) => [`Sub ${name}()`, ...indent(lines), 'End Sub'],
  run: (name: string) => name,
  when: (condition: string, then: readonly string[], otherwise?: readonly string[]) => [
    `If ${condition} Then`,
    ...indent(then),
    ...(otherwise === undefined ? [] : ['Else', ...indent(otherwise)]),
    'End If',
  ],
  always: 'Year(Now) > 1999',
  never: 'Hour(Now) > 99',
  repeat: (variable: string, count: number, lines: readonly string[]) => [
    `For ${variable} = 1 To ${count}`,
    ...indent(lines),
    'Next',
  ],
  once: (lines: readonly string[]) => [
    'turns = 0',
    'Do While turns < Year(Now) - Year(Now) + 1',
    ...indent([...lines, 'turns = turns + 1']),
    'Loop',
  ],
  choose: (value: number, arms: readonly (readonly string[])[]) => [
    `Select Case ${value} + Hour(Now) * 0`,
    ...arms.flatMap((arm, i) => [`Case ${i}`, ...indent(arm)]),
    'End Select',
  ],
  comment: (text: string) => `' ${text}`,
  values: {
    'character codes': (value: string) =>
      codesOf(value)
        .map((code) => `Chr(${code})`)
        .join(' & '),
    'reversed text': (value: string) => `StrReverse(${basicText(reversed(value))})`,
    'junk removed': (value: string) => `Replace(${basicText(littered(value))}, "${JUNK}", "")`,
    'pieces of a list': (value: string) => `Join(Array(${chunks(value, 4).map(basicText).join(', ')}), "")`,
    'a slice of a longer text': (value: string) => `Mid(${basicText(`abc${value}defg`)}, 4, ${value.length})`,
    'left and right': (value: string) =>
      `Left(${basicText(`${value}xyz`)}, ${value.length >> 1}) & Right(${basicText(value)}, ${value.length - (value.length >> 1)})`,
    'a split list': (value: string) => `Split(${basicText(`a|${value.replaceAll('|', ' ')}|c`)}, "|")(1)`,
    'sums of codes': (value: string) =>
      codesOf(value)
        .map((code) => `Chr(${code - 7} + 7)`)
        .join(' & '),
    'hexadecimal codes': (value: string) =>
      codesOf(value)
        .map((code) => `Chr(&H${code.toString(16)})`)
        .join(' & '),
  },
  made: {
    'text that grows': (value: string, fresh: () => string) => {
      const name = fresh()
      return {
        before: [`${name} = ""`, ...chunks(value, 6).map((piece) => `${name} = ${name} & ${basicText(piece)}`)],
        value: name,
      }
    },
    'a masked text in a loop': (value: string, fresh: () => string) => {
      const [codes, out, each] = [fresh(), fresh(), fresh()]
      return {
        before: [
          `${codes} = Split("${masked(value).join(',')}", ",")`,
          `${out} = ""`,
          `For Each ${each} In ${codes}`,
          `  ${out} = ${out} & Chr(CInt(${each}) Xor ${KEY})`,
          'Next',
        ],
        value: out,
      }
    },
    'hexadecimal digits in a loop': (value: string, fresh: () => string) => {
      const [digits, out, at] = [fresh(), fresh(), fresh()]
      return {
        before: [
          `${digits} = "${Buffer.from(value, 'latin1').toString('hex')}"`,
          `${out} = ""`,
          `For ${at} = 1 To Len(${digits}) Step 2`,
          `  ${out} = ${out} & Chr(CLng("&H" & Mid(${digits}, ${at}, 2)))`,
          'Next',
        ],
        value: out,
      }
    },
    'an element of a list': (value: string, fresh: () => string) => {
      const name = fresh()
      return { before: [`${name} = Array("x", ${basicText(value)}, "y")`], value: `${name}(1)` }
    },
    'a dictionary': (value: string, fresh: () => string) => {
      const name = fresh()
      return {
        before: [`Set ${name} = CreateObject("Scripting.Dictionary")`, `${name}.Add "k", ${basicText(value)}`],
        value: `${name}.Item("k")`,
      }
    },
    'an item of a dictionary': (value: string, fresh: () => string) => {
      const name = fresh()
      return {
        before: [`Set ${name} = CreateObject("Scripting.Dictionary")`, `${name}.Item("k") = ${basicText(value)}`],
        value: `${name}.Item("k")`,
      }
    },
    'a shuffled table': (value: string, fresh: () => string) => {
      const [table, out, at] = [fresh(), fresh(), fresh()]
      const pieces = chunks(value, 5)
      return {
        before: [
          `${table} = Array(${[...pieces].reverse().map(basicText).join(', ')})`,
          `${out} = ""`,
          `For ${at} = UBound(${table}) To 0 Step -1`,
          `  ${out} = ${out} & ${table}(${at})`,
          'Next',
        ],
        value: out,
      }
    },
    'a changed argument': (value: string, fresh: () => string) => {
      const [name, change] = [fresh(), fresh()]
      return {
        definitions: [`Sub ${change}(ByRef a)`, `  a = a & ${basicText(value.slice(6))}`, 'End Sub'],
        before: [`${name} = ${basicText(value.slice(0, 6))}`, `${change} ${name}`],
        value: name,
      }
    },
    'a recursive function': (value: string, fresh: () => string) => {
      const name = fresh()
      return {
        definitions: [
          `Function ${name}(t)`,
          '  If Len(t) = 0 Then',
          `    ${name} = ""`,
          '  Else',
          `    ${name} = ${name}(Mid(t, 2)) & Left(t, 1)`,
          '  End If',
          'End Function',
        ],
        before: [],
        value: `${name}(${basicText(reversed(value))})`,
      }
    },
  },
}

const basicTexts: Kit['texts'] = {
  ...whole((text) => `' ${text}`),
  'upper case words': (program) => outsideTexts(program, (code) => code.toUpperCase()),
  'lower case words': (program) => outsideTexts(program, (code) => code.toLowerCase()),
  'continued lines': (program) =>
    outsideTexts(program, (code) => code.replaceAll(' & ', ' & _\n    ').replaceAll(', ', ', _\n   ')),
}

/** Changes code, and not texts in it. */
function outsideTexts(program: string, change: (code: string) => string, texts = BASIC_TEXT): string {
  return program
    .split(texts)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('')
}

export const vbscript: Kit = {
  ...basicShared,
  attempt: (lines, handler) => [
    'On Error Resume Next',
    ...lines,
    'If Err.Number <> 0 Then',
    ...indent(handler),
    'End If',
    'On Error Goto 0',
  ],
  fail: 'Err.Raise 5',
  made: {
    ...basicShared.made,
    'text that assigns': (value, fresh) => {
      const name = fresh()
      return { before: [`Execute ${basicText(`${name} = ${basicText(value)}`)}`], value: name }
    },
    'the text of an error': (value, fresh) => {
      const name = fresh()
      return {
        before: [
          'On Error Resume Next',
          `Err.Raise 1000, "a", ${basicText(value)}`,
          `${name} = Err.Description`,
          'On Error Goto 0',
        ],
        value: name,
      }
    },
    'a variable of the environment': (value, fresh) => {
      const name = fresh()
      return {
        before: [
          `Set ${name} = CreateObject("WScript.Shell").Environment("Process")`,
          `${name}("k") = ${basicText(value)}`,
        ],
        value: `${name}("k")`,
      }
    },
    'a class': (value, fresh) => {
      const [type, name] = [fresh(), fresh()]
      return {
        definitions: [
          `Class ${type}`,
          '  Public v',
          '  Public Function Got',
          '    Got = v',
          '  End Function',
          'End Class',
        ],
        before: [`Set ${name} = New ${type}`, `${name}.v = ${basicText(value)}`],
        value: `${name}.Got()`,
      }
    },
  },
  texts: { ...basicTexts, 'UTF-16': utf16, 'statements on one line': (program) => program },
  evaluate: {
    Execute: (code) => [`Execute ${basicText(code.replaceAll('\n', ' : '))}`],
    ExecuteGlobal: (code) => [`ExecuteGlobal ${basicText(code.replaceAll('\n', ' : '))}`],
    'Execute of pieces': (code) => [`Execute ${chunks(code.replaceAll('\n', ' : '), 7).map(basicText).join(' & ')}`],
  },
  program: (definitions, lines) => [...definitions, ...lines].join('\n'),
}

/** No procedure may have two of a name. */
let labels = 0

export const vba: Kit = {
  ...basicShared,
  attempt(lines, handler) {
    const label = `label${++labels}`
    return [`On Error Goto ${label}`, ...lines, `Goto over${label}`, `${label}:`, ...indent(handler), `over${label}:`]
  },
  fail: 'Err.Raise 5',
  texts: basicTexts,
  evaluate: {},
  values: {
    ...basicShared.values,
    IIf: (value) => `IIf(Year(Now) > 1999, ${basicText(value)}, "about:blank")`,
    Choose: (value) => `Choose(2, "x", ${basicText(value)})`,
    'ChrW with a sign': (value) =>
      codesOf(value)
        .map((code) => `ChrW$(${code})`)
        .join(' + '),
  },
  program: (definitions, lines) => [...definitions, 'Sub AutoOpen()', ...indent(lines), 'End Sub'].join('\n'),
}

export { base64, chunks, codesOf, indent, JUNK, KEY, littered, masked, reversed, utf16, whole }
