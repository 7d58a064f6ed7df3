/** Bundles a program with everything that it imports into one file of plain JavaScript. */
import http from 'node:http'
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

/** An import of `node:http` reads all of its properties, and these load Node's whole client of the web. */
const OF_THE_WEB = ['CloseEvent', 'MessageEvent', 'WebSocket']
const HTTP = '\0http'

function httpModule(): string {
  const names = Object.keys(http).filter((name) => !OF_THE_WEB.includes(name))
  return `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${names.join(', ')} } = http`
}

export async function bundle(entry: string, places: Places): Promise<string> {
  const build = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: 'node',
    // Here and below: the compiler would also remove calls of which only the exception matters, such as decodeURIComponent.
    treeshake: false,
    plugins: [
      { name: 'import-meta', transform: (code, file) => ({ code: withPlaces(code, file, entry, places) }) },
      {
        name: 'http',
        resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind === 'import-statement' ? HTTP : null),
        load: (id) => (id === HTTP ? httpModule() : null),
      },
    ],
  })
  const { output } = await build.generate({
    ...{ format: 'esm', codeSplitting: false, minify: false },
    // V8 keeps a text with any character past Latin-1 in twice the memory, and takes a fifth longer to load it.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
  })
  await build.close()
  return output[0].code
}

function withPlaces(code: string, file: string, entry: string, places: Places): string {
  if (!file.endsWith('.ts') || file === FINDER) return code
  const { dirname, filename, url } = places(file)
  // In one pass, because what is put in may name the bundle's own.
  return code.replaceAll(/\bimport\.meta\.(dirname|filename|url|main)\b/g, (_, name: string) =>
    name === 'main' ? String(file === entry) : { dirname, filename, url }[name as 'dirname' | 'filename' | 'url'],
  )
}
