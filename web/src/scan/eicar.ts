/** The EICAR test file, in pieces: virus scanners would report a script that contains it whole. */
const PIECES = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE', '!$H+H*']

export const eicarFile = (): File => new File([PIECES.join('')], 'eicar.txt', { type: 'text/plain' })
