/** Creates the data folder, or says who may not write to it and how to change that. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'

export const DATA_FOLDER = 'DATA_FOLDER'

/** A container may run as a user that has no name. */
function userName(): string {
  const { uid, gid } = ids()
  try {
    return `${userInfo().username} (${uid}:${gid})`
  } catch {
    return `${uid}:${gid}`
  }
}

const ids = () => ({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })

const quoted = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

function explain(error: unknown, dataDir: string, path: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const { uid, gid } = ids()
  const isFolder = existsSync(dataDir)
  const command = isFolder
    ? `chown -R ${uid}:${gid} ${quoted(dataDir)} && chmod -R u+rwX ${quoted(dataDir)}`
    : `install -d -m 700 -o ${uid} -g ${gid} ${quoted(dataDir)}`
  const wrong =
    {
      EROFS: `${path} is on a read-only file system. Mount it writable, or set DOCVET_DATA_DIR to another folder.`,
      EEXIST: `${path} is a file. Set DOCVET_DATA_DIR to a folder.`,
      ENOTDIR: `a part of the path is a file. Set DOCVET_DATA_DIR to a folder.`,
    }[String(code)] ??
    `the user ${userName()} cannot ${isFolder ? `write to ${path}` : `create ${path}`}. Run as root: ${command}`
  return Object.assign(new Error(`The data folder ${dataDir} is not usable: ${wrong}`, { cause: error }), {
    code: DATA_FOLDER,
  })
}

/** `files` are checked too: a command that ran as root may have created them. */
export function prepareDataFolder(dataDir: string, files: readonly string[]): void {
  const refusals = ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR']
  const attempt = (path: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!refusals.includes(String((error as NodeJS.ErrnoException).code))) throw error
      throw explain(error, dataDir, path)
    }
  }
  // The data contains e-mail addresses.
  attempt(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o700 }))
  attempt(dataDir, () => accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
  for (const file of files) {
    if (statSync(file, { throwIfNoEntry: false }))
      attempt(file, () => accessSync(file, constants.R_OK | constants.W_OK))
  }
}
