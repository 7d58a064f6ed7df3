/** `npm run dev`: the service, restarted when a file changes, and the dashboard with hot reload in front of it. */

import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'
import { readArguments } from './arguments.ts'

const ROOT = path.join(import.meta.dirname, '..')

readArguments('npm run dev')

const dashboard = await createServer({ configFile: path.join(ROOT, 'web/vite.config.ts') })
await dashboard.listen()
const { port } = dashboard.config.server

const service = spawn(process.execPath, ['--watch', 'server/service.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  // Mailed links and the sandbox marketplace lead to the dashboard with hot reload.
  env: { DOCVET_PUBLIC_URL: `http://localhost:${port}`, ...process.env },
})
service.on('exit', () => dashboard.close())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal))
dashboard.printUrls()
