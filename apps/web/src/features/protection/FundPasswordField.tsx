import { type Command, PASSWORD_REFUSALS } from '../../shared/command/index.ts'
import { PasswordField } from '../../shared/ui/index.ts'

type FundPasswordFieldProps = {
  label: string
  value: string
  onValue: (text: string) => void
  command: Command
  /**
   * True for a command that moves money: the member types the password each time. Otherwise the browser may fill it in.
   */
  typed?: boolean
}

/** The fund password for a command. The server's message about it stays at the field until the member types again. */
export function FundPasswordField({ label, value, onValue, command, typed = false }: FundPasswordFieldProps) {
  return (
    <PasswordField
      kind={typed ? 'typed' : 'present'}
      label={label}
      value={value}
      onValue={(text) => {
        command.clearProblem()
        onValue(text)
      }}
      error={command.problemAt(...PASSWORD_REFUSALS)}
    />
  )
}
