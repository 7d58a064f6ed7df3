/** Runs one of several commands: choose it, fill in its arguments, see what it prints. */
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import type { OperatorCommand } from '../../api/schema.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'
import { Rows, rowsOf } from './rows.tsx'
import { DANGEROUS, RESULT_COMMANDS } from './views.ts'

interface CommandDialogProps {
  title: string
  commands: readonly OperatorCommand[]
  /** Those to choose from. */
  names: readonly string[]
  /** The first argument. */
  subject: string
  onClose: () => void
  onDone: () => void
}

export function CommandDialog({ title, commands, names, subject, onClose, onDone }: CommandDialogProps) {
  const [chosen, setChosen] = useState({ name: names.length === 1 ? (names[0] ?? '') : '', subject })
  const command = commands.find(({ name }) => name === chosen.name)
  return (
    <Dialog
      title={command === undefined ? title : command.name}
      lead={command?.summary ?? 'Choose what to do.'}
      onClose={onClose}
    >
      {command === undefined ? (
        <div className="mt-4 grid gap-2">
          {names.map((name) => (
            <button key={name} type="button" className="btn btn-ghost" onClick={() => setChosen({ name, subject })}>
              {name}
            </button>
          ))}
          <button type="button" className="btn btn-ghost mt-2 justify-self-end" onClick={onClose}>
            Close
          </button>
        </div>
      ) : (
        <CommandForm
          key={command.name}
          command={command}
          subject={chosen.subject}
          onClose={onClose}
          onDone={onDone}
          onNext={setChosen}
        />
      )}
    </Dialog>
  )
}

interface CommandFormProps {
  command: OperatorCommand
  subject: string
  onClose: () => void
  onDone: () => void
  onNext: (next: { name: string; subject: string }) => void
}

function CommandForm({ command, subject, onClose, onDone, onNext }: CommandFormProps) {
  const { run, isPending, problem, result } = useAction(async (form: HTMLFormElement) => {
    const args = command.args.map((name) => textOf(form, name)).filter((value) => value !== '')
    const given = command.options.map(({ name }) => [name, textOf(form, name)]).filter(([, value]) => value !== '')
    const body = { command: command.name, args, options: Object.fromEntries(given) as Record<string, string> }
    const done = await call('POST /api/v1/operator/commands', { body })
    onDone()
    return done
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(event.currentTarget)
  }

  if (result !== undefined)
    return (
      <>
        <div role="status" className="mt-4 max-h-[60dvh] overflow-y-auto">
          {result.message === null ? (
            <Rows
              rows={rowsOf(result.data)}
              actions={(row) =>
                RESULT_COMMANDS[command.name]?.map((name) => (
                  <button
                    key={name}
                    type="button"
                    className="btn btn-ghost h-8"
                    onClick={() => onNext({ name, subject: String(row.id) })}
                  >
                    {name}
                  </button>
                ))
              }
            />
          ) : (
            <p className="break-words">{result.message}</p>
          )}
          {result.note !== null && <p className="mt-2 text-sm text-fg-2">{result.note}</p>}
        </div>
        <div className="mt-6 flex justify-end">
          <button type="button" className="btn btn-primary" onClick={onClose}>
            Close
          </button>
        </div>
      </>
    )
  return (
    <form onSubmit={submit} className="mt-5 grid gap-4">
      {problem && <FormProblem problem={problem} />}
      {command.args.map((name, index) => (
        <TextField
          key={name}
          label={name.replace(/[[\]]/g, '')}
          name={name}
          autoComplete="off"
          required={!name.startsWith('[')}
          readOnly={index === 0 && subject !== ''}
          defaultValue={index === 0 ? subject : ''}
        />
      ))}
      {command.options.map(({ name, meaning }) => (
        <TextField key={name} label={name} name={name} autoComplete="off" hint={meaning} />
      ))}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          className={`btn ${DANGEROUS.has(command.name) ? 'btn-danger' : 'btn-primary'}`}
          disabled={isPending}
        >
          {isPending ? 'Please wait…' : 'Run'}
        </button>
      </div>
    </form>
  )
}
