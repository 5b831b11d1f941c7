import type { Result } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import { useState } from 'react'
import { type Failure, failureText } from '../api/index.ts'
import { type TextFunction, useText } from '../i18n/index.ts'

/** Why a command failed: a failed call, or another problem that brings its own text. */
export type CommandProblem = Failure | { readonly textOf: (t: TextFunction) => string }

const reasonOf = (problem: CommandProblem): RefusalCode | null =>
  'kind' in problem && problem.kind === 'refused' ? problem.reason : null

/**
 * One command of a sheet: whether it runs, and its last problem. The problem is shown at the field that it concerns or,
 * if there is none, for the whole sheet.
 */
export function useCommand() {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CommandProblem | null>(null)
  const reason = problem && reasonOf(problem)
  const shownText = problem && ('kind' in problem ? failureText(t, problem) : problem.textOf(t))

  return {
    busy,
    /** The problem, if it is one of the refusals of this field. */
    problemAt: (...reasons: RefusalCode[]): string | undefined =>
      reason !== null && shownText !== null && reasons.includes(reason) ? shownText : undefined,
    /** The problem, if it is none of these refusals. */
    problemExcept: (...reasons: RefusalCode[]): string | undefined =>
      shownText !== null && !(reason !== null && reasons.includes(reason)) ? shownText : undefined,
    clearProblem: () => setProblem(null),
    /** `onRefused` reacts to a refusal. The refusal is shown in any case. */
    async run<T>(
      command: () => Promise<Result<T, CommandProblem>>,
      onDone: (value: T) => void,
      onRefused?: (reason: RefusalCode) => Promise<void>,
    ): Promise<void> {
      setBusy(true)
      setProblem(null)
      const result = await command().catch((error: unknown) => {
        setBusy(false)
        throw error
      })
      if (!result.ok) {
        setProblem(result.error)
        const refusal = reasonOf(result.error)
        if (refusal !== null) await onRefused?.(refusal)
      }
      setBusy(false)
      if (result.ok) onDone(result.value)
    },
  }
}

export type Command = ReturnType<typeof useCommand>

export const PASSWORD_REFUSALS = ['fund-password-wrong', 'fund-password-locked'] as const

/** True if the fund password was wrong or is locked. */
export const isPasswordRefusal = (failure: Failure): boolean =>
  failure.kind === 'refused' && PASSWORD_REFUSALS.some((reason) => reason === failure.reason)
