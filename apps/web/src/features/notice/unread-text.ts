const MAX_SHOWN = 99

/** The number of unread notices, short enough for a badge. */
export const unreadText = (unread: number): string => (unread > MAX_SHOWN ? `${MAX_SHOWN}+` : String(unread))
