/** Libraries of Windows and Office, without `.dll`. */

const list = (names: string): readonly string[] => names.split(/\s+/)

/** With functions by which a macro of Excel 4 reaches the system. */
export const ACTING = list(
  `kernel32 user32 shell32 urlmon wininet ntdll advapi32 winhttp ole32 oleaut32 msvcrt advpack zipfldr ieframe mshtml shdocvw url
  setupapi syssetup dxtmsft crypt32 psapi gdi32 comctl32 comdlg32 rpcrt4 shlwapi version ws2_32 xlcall32`,
)
/** Loaded from the folder of the system, wherever the current one is. */
export const OF_SYSTEM = [
  ...ACTING,
  ...list(
    `gdiplus oleacc olepro32 winmm wsock32 winspool mpr netapi32 iphlpapi bcrypt imm32 uxtheme dwmapi hhctrl secur32 usp10 mapi32
    msimg32 wtsapi32 userenv powrprof cabinet dbghelp amsi lz32 credui`,
  ),
]
/** Functions of windows, the screen and sound. */
export const SCREEN = list('user32 gdi32 winmm')
/** Families of libraries, as the source of a pattern. */
export const OF_SYSTEM_FAMILIES = String.raw`odbc\w*|vbe?\w*|msvbvm\w*|libc\w*|excel\w*`
/** They fetch from servers. */
export const FETCHING = ['urlmon', 'wininet', 'winhttp']
