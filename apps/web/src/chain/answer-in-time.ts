/** The answer, or `otherwise` if it has not come after this time. Wallets and nodes may stay silent for ever. */
export async function answerInTime<T, O>(answer: Promise<T>, timeoutMs: number, otherwise: O): Promise<T | O> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<O>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, otherwise)
  })
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}
