/**
 * An expected outcome is a value: a success, or a refusal that the caller must handle. Exceptions are for bugs and
 * outside failures.
 */
export type Result<T, E> = Ok<T> | Refused<E>
export type Ok<T> = { readonly ok: true; readonly value: T }
export type Refused<E> = { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value })
export const refused = <E>(error: E): Refused<E> => ({ ok: false, error })
