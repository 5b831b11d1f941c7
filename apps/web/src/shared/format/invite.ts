/** `7QK2-M9X4`: an invitation code in two groups, easier to read aloud. */
export const formatInvite = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
