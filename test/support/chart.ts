/** The Helm chart, rendered by a small renderer because helm is no package of Debian. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Compile } from 'typebox/schema'
import { parse, parseAllDocuments } from 'yaml'
import { renderTemplate } from './go-template.ts'

export const ROOT = path.join(import.meta.dirname, '../..')
const CHART = path.join(ROOT, 'deploy/helm/docvet')
export const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8')

export type Tree = Record<string, unknown>
export interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  spec: Tree
  data?: Record<string, string>
}
interface Container {
  env: { name: string; value: string }[]
  [name: string]: unknown
}
export interface Pod {
  containers: [Container]
  volumes: { name: string }[]
  [name: string]: unknown
}

function merged(base: Tree, more: Tree): Tree {
  const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(more).map(([name, value]) => {
    const old = base[name]
    return [name, isTree(old) && isTree(value) ? merged(old, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

export const DEFAULTS = parse(read('values.yaml')) as Tree
export const PUBLIC_URL = 'https://scan.example.com'
const schema = Compile(JSON.parse(read('values.schema.json')))
export const isValid = (values: Tree): boolean => schema.Check(merged(DEFAULTS, values))

/** All resources, by kind and name. */
export function render(values: Tree = {}): Map<string, Resource> {
  const Values = merged({ ...DEFAULTS, publicUrl: PUBLIC_URL }, values)
  assert.ok(schema.Check(Values), JSON.stringify(schema.Errors(Values)))
  const { appVersion: AppVersion } = parse(read('Chart.yaml')) as Tree
  const data = { Values, Release: { Name: 'docvet', Namespace: 'scanning' }, Chart: { AppVersion } }
  const resources = new Map<string, Resource>()
  for (const file of readdirSync(path.join(CHART, 'templates')).filter((name) => name.endsWith('.yaml'))) {
    for (const document of parseAllDocuments(renderTemplate(read(`templates/${file}`), data, read))) {
      assert.deepEqual(document.errors, [], file)
      const resource = document.toJS() as Resource | null
      if (resource) resources.set(`${resource.kind} ${resource.metadata.name}`, resource)
    }
  }
  return resources
}

export const NONE: Resource = { apiVersion: '', kind: '', metadata: { name: '' }, spec: {} }
export const podOf = (resource = NONE): Pod => (resource.spec.template as { spec: Pod }).spec
export const service = (values?: Tree) => podOf(render(values).get('Deployment docvet'))
export const envOf = (values?: Tree) =>
  Object.fromEntries(service(values).containers[0].env.map(({ name, value }) => [name, value]))
