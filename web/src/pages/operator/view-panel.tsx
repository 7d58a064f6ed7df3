/** One list of the operator's page: its filters, its rows and what can be done with them. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { operatorListQuery } from '../../api/queries.ts'
import type { OperatorCommand } from '../../api/schema.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { CommandDialog } from './command-dialog.tsx'
import { Rows, rowsOf } from './rows.tsx'
import type { View } from './views.ts'

interface Task {
  title: string
  names: readonly string[]
  subject: string
}

export function ViewPanel({ view, commands }: { view: View; commands: readonly OperatorCommand[] }) {
  const [options, setOptions] = useState<Record<string, string>>({})
  const [task, setTask] = useState<Task | null>(null)
  const list = useQuery(operatorListQuery(view.command, options))
  const filters = commands.find(({ name }) => name === view.command)?.options ?? []

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const given = filters.map(({ name }): [string, string] => [name, textOf(form, name)])
    setOptions(Object.fromEntries(given.filter(([, value]) => value !== '')))
  }

  return (
    <div className="card px-5 py-4">
      <form onSubmit={submit} className="grid grid-cols-1 items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {filters.map(({ name, meaning }) => (
          <TextField key={name} label={name} name={name} autoComplete="off" hint={meaning} />
        ))}
        <div className="flex flex-wrap gap-2 sm:col-span-2 lg:col-span-4">
          <button type="submit" className="btn btn-primary">
            Show
          </button>
          {view.ofPage.map((name) => (
            <button
              key={name}
              type="button"
              className="btn btn-ghost"
              onClick={() => setTask({ title: name, names: [name], subject: '' })}
            >
              {name}
            </button>
          ))}
        </div>
      </form>
      <div className="mt-4">
        {list.isPending && <Skeleton className="h-24" />}
        {list.isError && (
          <ProblemBox
            problem={toProblem(list.error)}
            what="The list could not be loaded."
            retry={() => list.refetch()}
          />
        )}
        {list.data && (
          <Rows
            rows={rowsOf(list.data.data)}
            main={view.main}
            actions={(row) =>
              view.ofRow.length > 0 && (
                <button
                  type="button"
                  className="btn btn-ghost h-8"
                  onClick={() => setTask({ title: String(row[view.main]), names: view.ofRow, subject: String(row.id) })}
                >
                  Manage<span className="sr-only"> {String(row[view.main])}</span>
                </button>
              )
            }
          />
        )}
      </div>
      {task && (
        <CommandDialog {...task} commands={commands} onClose={() => setTask(null)} onDone={() => list.refetch()} />
      )}
    </div>
  )
}
