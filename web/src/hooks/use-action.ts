import { useState } from 'react'
import { type ApiProblem, isSignedOut, toProblem } from '../api/problem.ts'
import { leaveForSignIn } from '../session.ts'

interface State<Output> {
  isPending: boolean
  problem: ApiProblem | null
  result: Output | undefined
}

/** A request that changes something, started by `run`. An ended session leads to the sign-in page. */
export function useAction<Input, Output>(request: (input: Input) => Promise<Output>) {
  const [state, setState] = useState<State<Output>>({ isPending: false, problem: null, result: undefined })

  async function run(input: Input): Promise<void> {
    setState({ isPending: true, problem: null, result: undefined })
    try {
      const result = await request(input)
      setState({ isPending: false, problem: null, result })
    } catch (error) {
      if (isSignedOut(error)) leaveForSignIn()
      setState({ isPending: false, problem: toProblem(error), result: undefined })
    }
  }

  return { ...state, run }
}
