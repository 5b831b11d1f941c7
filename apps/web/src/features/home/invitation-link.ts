/** Opens registration with the code filled in. */
export const invitationLink = (origin: string, code: string): string =>
  `${origin}/regist?invite=${encodeURIComponent(code)}`
