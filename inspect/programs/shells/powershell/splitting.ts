/** Splits PowerShell into statements: without comments, each with the function that it belongs to. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { RUNNING } from '#inspect/windows/powershell.ts'

export interface Statement {
  text: string
  /** The innermost function around it, in lower case; empty outside of functions. */
  inside: string
}

/** Comments, texts, and the signs between statements. What is not closed extends to the end. */
const TOKEN =
  /<#[\s\S]*?(?:#>|$)|(?<![\w$`])#[^\r\n]*|@'\r?\n[\s\S]*?(?:\n'@|$)|@"\r?\n[\s\S]*?(?:\n"@|$)|'[^']*(?:'|$)|"(?:[^"`]|`[\s\S])*(?:"|$)|`\r?\n|`[\s\S]|[;{}()[\]]|\|\s*\r?\n|\r?\n|\r/g
/** Characters of a block that count as part of the statement around it: a loop that decodes is short. Of longer ones, what they return. */
export const BLOCK_MAX = 2_000
/** The same for texts in quotes: of long ones, which are data, the beginning and the end count. */
export const TEXT_MAX = 20_000
const CHARACTER_WORK = 150
const STATEMENT_WORK = 2_000
const STATEMENT_BYTES = 100
export const FUNCTION = /^\s*(?:function|filter|workflow)\s+(?:\w+:)?([\w-]+)\s*(\([\s\S]*)?/i

interface Block {
  /** The statement that it belongs to. */
  head: string
  inside: string
  from: number
  depth: number
  /** Statements whose results it returns, where that may be code. */
  returned: string
}

/** `code` is the source without comments. */
export function readStatements(source: string): { statements: Statement[]; code: string } {
  charge(source.length * CHARACTER_WORK)
  keep(source.length)
  const reader = createReader(source)
  const code: string[] = []
  let last = 0
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    reader.text(source.slice(last, index))
    code.push(source.slice(last, index))
    last = index + token.length
    const isComment = token.startsWith('<#') || token.startsWith('#')
    code.push(isComment ? ' ' : token)
    reader.token(isComment ? ' ' : token, index)
  }
  reader.text(source.slice(last))
  code.push(source.slice(last))
  return { statements: reader.end(), code: code.join('') }
}

function createReader(source: string) {
  const found: Statement[] = []
  const blocks: Block[] = []
  let [text, inside, depth] = ['', '', 0]

  function end(): void {
    const statement = text.trim()
    text = ''
    if (statement === '') return
    charge(STATEMENT_WORK + statement.length)
    keep(STATEMENT_BYTES + statement.length)
    found.push({ text: statement, inside })
    const block = blocks.at(-1)
    if (block !== undefined && !ASSIGNS.test(statement) && !RUNS.test(statement)) give(block, statement)
  }

  function give(block: Block, statements: string): void {
    charge(statements.length)
    keep(statements.length)
    block.returned += `${statements}\n`
  }

  function openBlock(at: number): void {
    const block = { head: text, inside, from: at, depth, returned: '' }
    const name = FUNCTION.exec(text)?.[1]?.toLowerCase()
    end()
    blocks.push(block)
    depth = 0
    inside = name ?? inside
  }

  function closeBlock(at: number): void {
    end()
    const block = blocks.pop()
    if (block === undefined) return
    inside = block.inside
    depth = block.depth
    const isFunction = FUNCTION.test(block.head)
    const isAssigned = ASSIGNS.test(block.head)
    const isFollowed = depth > 0 || follows(CONTINUES, at + 1) || (isAssigned && follows(BRANCHES, at + 1))
    text = isFunction ? '' : `${block.head}{${outputOf(block, at, isAssigned || isFollowed)}}`
    if (!isFollowed) end()
  }

  /** It goes to the pipe behind the block or to the variable before it, or else to where the output of the block around it goes. */
  function outputOf({ from, returned }: Block, at: number, isUsed: boolean): string {
    if (at - from <= BLOCK_MAX) return source.slice(from, at)
    if (isUsed) return returned
    const around = blocks.at(-1)
    if (around !== undefined) give(around, returned)
    return ''
  }

  function follows(pattern: RegExp, at: number): boolean {
    NEXT.lastIndex = at
    const next = NEXT.exec(source)?.index ?? source.length
    return pattern.test(source.slice(next, next + WORD_LENGTH))
  }

  function append(token: string): void {
    if (token === '(' || token === '[') depth++
    if ((token === ')' || token === ']') && depth > 0) depth--
    text += /^`\r?\n/.test(token) ? ' ' : shortened(token)
  }

  const isEnd = (token: string): boolean => depth === 0 && (token === ';' || /^[\r\n]/.test(token))

  return {
    text(piece: string): void {
      text += piece
    },
    token(token: string, index: number): void {
      if (token === '{' && !text.endsWith('$')) openBlock(index + 1)
      else if (token === '}' && blocks.length > 0 && !VARIABLE.test(text)) closeBlock(index)
      else if (isEnd(token)) end()
      else append(token)
    },
    end(): Statement[] {
      end()
      return found
    },
  }
}

/** With both quotes, without which the statement would go on. */
function shortened(token: string): string {
  return token.length <= TEXT_MAX ? token : token.slice(0, TEXT_MAX / 2) + token.slice(-TEXT_MAX / 2)
}

const NEXT = /\S/g
const CONTINUES = /^[|).,]/
const BRANCHES = /^(?:else|elseif|catch|finally)\b/i
/** With the character behind it. */
const WORD_LENGTH = 'finally'.length + 1
const ASSIGNS = /^\s*(?:\[[\w.]+(?:\[\])?\]\s*)*\$\{?[\w:]+\}?(?:[.[][^=\r\n]*|\s*(?:[-+*]|\?\?)?)=(?!=)/
const RUNS = anyCase`(?<![\w-])${RUNNING}(?![\w-])`
/** `${name}` is a variable. */
const VARIABLE = /\$\{[\w:() -]{0,60}$/
