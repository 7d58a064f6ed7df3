/** Counters, histograms and gauges, rendered in the text format of Prometheus. */

export type Labels = Readonly<Record<string, string>>

/** A gauge is read when it is rendered. `null` leaves it out. */
type Reading = { labels?: Labels; value: number | null }
type Read = () => Iterable<Reading> | Promise<Iterable<Reading>>

interface Family {
  type: 'counter' | 'histogram' | 'gauge'
  help: string
  lines(name: string): string[] | Promise<string[]>
}

/** Series of one name. Labels come from our own code, never from clients, so this is only reached by a mistake. */
export const SERIES_MAX = 2_000

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const families = new Map<string, Family>()

  function register(name: string, family: Family): void {
    if (families.has(name)) throw new Error(`The metric ${name} exists already`)
    families.set(name, family)
  }

  return {
    /** Returns the function that adds to it. */
    counter(name: string, help: string): (labels?: Labels, by?: number) => void {
      const series = new Map<string, number>()
      register(name, { type: 'counter', help, lines: () => linesOf(name, series) })
      return (labels = {}, by = 1) => {
        const key = textOf(labels)
        if (series.size < SERIES_MAX || series.has(key)) series.set(key, (series.get(key) ?? 0) + by)
      }
    },

    /** `bounds` are the upper bounds of the buckets, in ascending order. Returns the function that observes values. */
    histogram(name: string, help: string, bounds: readonly number[]) {
      const series = new Map<string, Observed>()
      const lines = () => [...series].flatMap(([key, observed]) => histogramLines(name, key, bounds, observed))
      register(name, { type: 'histogram', help, lines })
      return (value: number, labels: Labels = {}, times = 1): void => {
        const key = textOf(labels)
        let observed = series.get(key)
        if (observed === undefined) {
          if (series.size >= SERIES_MAX) return
          observed = { buckets: new Array(bounds.length).fill(0), sum: 0, count: 0 }
          series.set(key, observed)
        }
        observed.sum += value * times
        observed.count += times
        const bucket = bounds.findIndex((bound) => value <= bound)
        if (bucket >= 0) observed.buckets[bucket] = (observed.buckets[bucket] ?? 0) + times
      }
    },

    /** A value that fails to be read is left out, so that the others are still rendered. */
    gauge(name: string, help: string, read: Read, type: 'gauge' | 'counter' = 'gauge'): void {
      register(name, { type, help, lines: async () => readingLines(name, await Promise.resolve().then(read)) })
    },

    async render(): Promise<string> {
      const texts = [...families].map(async ([name, { type, help, lines }]) => {
        const rendered = await Promise.resolve()
          .then(() => lines(name))
          .catch(() => [])
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...rendered].join('\n')
      })
      return `${(await Promise.all(texts)).join('\n')}\n`
    },
  }
}

/** One text from those of several processes: the same families, with a label for the process in every series. */
export function mergeMetrics(label: string, parts: readonly { value: string; text: string }[]): string {
  const families = new Map<string, { head: string[]; series: string[] }>()
  for (const { value, text } of parts) {
    for (const part of text.split(/^(?=# HELP )/m)) {
      const lines = part.split('\n').filter((each) => each !== '')
      const head = lines.filter((each) => each.startsWith('#'))
      const family = families.get(head[0] ?? '') ?? { head, series: [] }
      families.set(head[0] ?? '', family)
      for (const each of lines.slice(head.length)) family.series.push(labelled(each, `${label}="${value}"`))
    }
  }
  return `${[...families.values()].flatMap(({ head, series }) => [...head, ...series]).join('\n')}\n`
}

/** `name{a="b"} 1` or `name 1`. Values of labels may contain braces, but the first one ends the name. */
function labelled(series: string, label: string): string {
  const [, name = '', brace, rest = ''] = /^([^{ ]+)(\{| )(.*)$/.exec(series) ?? []
  return brace === '{' ? `${name}{${label},${rest}` : `${name}{${label}} ${rest}`
}

interface Observed {
  buckets: number[]
  sum: number
  count: number
}

function linesOf(name: string, series: ReadonlyMap<string, number>): string[] {
  return [...series].map(([key, value]) => line(name, key, value))
}

function readingLines(name: string, readings: Iterable<Reading>): string[] {
  return [...readings].flatMap(({ labels = {}, value }) => (value === null ? [] : [line(name, textOf(labels), value)]))
}

function histogramLines(name: string, key: string, bounds: readonly number[], observed: Observed): string[] {
  let below = 0
  const within = (bound: string) => `${key}${key === '' ? '' : ','}le="${bound}"`
  const buckets = bounds.map((bound, i) => {
    below += observed.buckets[i] ?? 0
    return line(`${name}_bucket`, within(String(bound)), below)
  })
  return [
    ...buckets,
    line(`${name}_bucket`, within('+Inf'), observed.count),
    line(`${name}_sum`, key, observed.sum),
    line(`${name}_count`, key, observed.count),
  ]
}

const line = (name: string, key: string, value: number): string => `${name}${key === '' ? '' : `{${key}}`} ${value}`

const SPECIAL = /[\\"\n]/

/** In a plain loop, because every scan adds to several series. */
function textOf(labels: Labels): string {
  let text = ''
  for (const name in labels) {
    const value = labels[name] as string
    const plain = SPECIAL.test(value) ? value.replace(/[\\"\n]/g, escaped) : value
    text += `${text === '' ? '' : ','}${name}="${plain}"`
  }
  return text
}

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`)
