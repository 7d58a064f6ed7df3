/** Ends a program under a Node that cannot run TypeScript. Plain JavaScript that old versions can read. */
'use strict'

const NODE_MIN = 24
const { node } = process.versions

if (Number(node.split('.')[0]) < NODE_MIN) {
  process.stderr.write(
    `Docvet needs Node ${NODE_MIN} or newer, but this is Node ${node}. Run \`npm ci\`, which installs it, then \`npm start\` or \`npx docvet\`, which use it.\n`,
  )
  process.exit(1)
}
