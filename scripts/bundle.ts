/** Bundles a program with everything that it imports into one file of plain JavaScript. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = path.join(import.meta.dirname, '..')
/** It looks for the programs beside the bundle that it is part of. */
const FINDER = path.join(ROOT, 'server/base/compiled.ts')

/** What stands for `import.meta` of a source file: the sources find their data files by their own place. */
type Places = (file: string) => { dirname: string; filename: string; url: string }

/** For programs that run beside the sources. */
export const IN_CHECKOUT: Places = (file) => ({
  dirname: JSON.stringify(path.dirname(file)),
  filename: JSON.stringify(file),
  url: JSON.stringify(pathToFileURL(file).href),
})

/** For programs in a folder beside a copy of the data files, wherever that is installed. */
export const IN_PACKAGE: Places = (file) => {
  const relative = path.relative(ROOT, file)
  const below = (name: string) => `(import.meta.dirname + ${JSON.stringify(`/../${name}`)})`
  return {
    dirname: below(path.dirname(relative)),
    filename: below(relative),
    url: `new URL(${JSON.stringify(`../${relative}`)}, import.meta.url).href`,
  }
}

export async function bundle(entry: string, places: Places, format: 'esm' | 'cjs' = 'esm'): Promise<string> {
  const build = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: 'node',
    // Here and below: the compiler would also remove calls of which only the exception matters, such as decodeURIComponent.
    treeshake: false,
    plugins: [{ name: 'import-meta', transform: (code, file) => ({ code: withPlaces(code, file, entry, places) }) }],
  })
  const { output } = await build.generate({
    ...{ format, codeSplitting: false, minify: false },
    // V8 keeps a text with any character past Latin-1 in twice the memory, and takes a fifth longer to load it.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await build.close()
  return withBuiltins(output[0].code)
}

const IMPORT = /^import (?:([\w$]+)(?:, )?)?(?:\{ (.+) \})? ?from "(node:[\w/]+)";$/

/** An import of a module of Node reads all of its properties, and some load much more, such as the client of the web. */
export function withBuiltins(code: string): string {
  const lines = code.split('\n')
  for (let i = 0; lines[i]?.startsWith('import '); i++) {
    const [, whole, names, module] = IMPORT.exec(lines[i] ?? '') ?? []
    if (module === undefined) continue
    const loaded = `globalThis.process.getBuiltinModule("${module}")`
    const parts = names === undefined ? [] : [`{ ${names.replaceAll(' as ', ': ')} } = ${loaded}`]
    lines[i] = `const ${[...(whole === undefined ? [] : [`${whole} = ${loaded}`]), ...parts].join(', ')};`
  }
  return lines.join('\n')
}

function withPlaces(code: string, file: string, entry: string, places: Places): string {
  if (!file.endsWith('.ts') || file === FINDER) return code
  const { dirname, filename, url } = places(file)
  // In one pass, because what is put in may name the bundle's own.
  return code.replaceAll(/\bimport\.meta\.(dirname|filename|url|main)\b/g, (_, name: string) =>
    name === 'main' ? String(file === entry) : { dirname, filename, url }[name as 'dirname' | 'filename' | 'url'],
  )
}
