import type { Result } from '@lode/kernel'
import type { RefusalCode } from '@lode/wire'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { type Failure, failureText } from '../api/index.ts'
import { useText } from '../i18n/index.ts'

/** Why a command failed: a call of the pool did, or something else that brings its own words. */
export type Problem = Failure | { readonly textOf: (t: TFunction) => string }

const reasonOf = (problem: Problem): RefusalCode | null =>
  'kind' in problem && problem.kind === 'refused' ? problem.reason : null

/**
 * One command of a sheet: at work or not, and what went wrong with it the last time, at the field that it concerns or, where
 * there is none, for the sheet as a whole.
 */
export function useCommand() {
  const t = useText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const reason = problem && reasonOf(problem)
  const said = problem && ('kind' in problem ? failureText(t, problem) : problem.textOf(t))

  return {
    busy,
    /** What is wrong at a field whose refusals these are. */
    at: (...reasons: RefusalCode[]): string | undefined =>
      reason !== null && said !== null && reasons.includes(reason) ? said : undefined,
    /** What is wrong otherwise. */
    otherThan: (...reasons: RefusalCode[]): string | undefined =>
      said !== null && !(reason !== null && reasons.includes(reason)) ? said : undefined,
    forget: () => setProblem(null),
    /** `onRefused` does what a refusal asks for, beside its being said. */
    async run<T>(
      command: () => Promise<Result<T, Problem>>,
      onDone: (value: T) => void,
      onRefused?: (reason: RefusalCode) => Promise<void>,
    ): Promise<void> {
      setBusy(true)
      setProblem(null)
      const result = await command()
      if (!result.ok) {
        setProblem(result.error)
        const said = reasonOf(result.error)
        if (said !== null) await onRefused?.(said)
      }
      setBusy(false)
      if (result.ok) onDone(result.value)
    },
  }
}

export type Command = ReturnType<typeof useCommand>

export const PASSWORD_REFUSALS = ['fund-password-wrong', 'fund-password-locked'] as const

/** The fund password was what stood against it, or that it is locked. */
export const isOfPassword = (failure: Failure): boolean =>
  failure.kind === 'refused' && PASSWORD_REFUSALS.some((reason) => reason === failure.reason)
