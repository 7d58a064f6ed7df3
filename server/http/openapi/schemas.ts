/** Moves titled schemas to `components.schemas` and replaces them by references. */

export interface JsonSchema {
  title?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  additionalProperties?: boolean
  $ref?: string
}

/** `anyOf` a type and null is shorter as a list of types. */
function simplified(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [first, second] = anyOf ?? []
  if (anyOf?.length !== 2 || typeof first?.type !== 'string' || second?.type !== 'null') return schema
  return { ...first, ...rest, type: [first.type, 'null'] }
}

export function createSchemas() {
  const components: Record<string, JsonSchema> = {}

  function refer({ title, ...schema }: JsonSchema): JsonSchema {
    const { properties, items, anyOf } = schema
    const own = simplified({
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, refer(each)])),
      }),
      ...(items && { items: refer(items) }),
      ...(anyOf && { anyOf: anyOf.map(refer) }),
    })
    if (title === undefined) return own
    components[title] ??= own
    return { $ref: `#/components/schemas/${title}` }
  }

  return { components, refer }
}
