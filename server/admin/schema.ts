/** Schemas of the operator's page. */
import { Type } from 'typebox'

const NAME_LENGTH_MAX = 60
const ARGUMENTS_MAX = 3
const VALUE_LENGTH_MAX = 1_000
const OPTIONS_MAX = 10

const value = Type.String({ maxLength: VALUE_LENGTH_MAX })

const OperatorCommand = Type.Object(
  {
    name: Type.String({ examples: ['accounts list'] }),
    summary: Type.String({ examples: ['List accounts, newest first.'] }),
    args: Type.Array(Type.String({ examples: ['ACCOUNT'] }), {
      description: 'The names of its arguments; an optional one is in brackets.',
    }),
    options: Type.Array(
      Type.Object({ name: Type.String({ examples: ['plan'] }), meaning: Type.String() }, { title: 'OperatorOption' }),
    ),
  },
  { title: 'OperatorCommand' },
)

export const OperatorCommands = Type.Object(
  { items: Type.Array(OperatorCommand) },
  { title: 'OperatorCommandList', description: 'What the caller may run.' },
)

export const RunCommandRequest = Type.Object(
  {
    command: Type.String({ maxLength: NAME_LENGTH_MAX, examples: ['accounts list'] }),
    args: Type.Optional(Type.Array(value, { maxItems: ARGUMENTS_MAX, examples: [[]] })),
    options: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z-]{1,20}$' }), value, {
        title: 'OperatorOptions',
        maxProperties: OPTIONS_MAX,
        examples: [{}],
      }),
    ),
  },
  { title: 'RunCommandRequest', description: 'A command of `docvet admin`.', additionalProperties: false },
)

export const CommandResult = Type.Object(
  {
    data: Type.Unknown({ description: 'What the command prints with `--json`.' }),
    message: Type.Union([Type.String(), Type.Null()], { description: 'The same for people, if it is a sentence.' }),
    note: Type.Union([Type.String(), Type.Null()], { description: 'The next step, if there is one.' }),
  },
  { title: 'CommandResult', description: 'The result of the command.' },
)
