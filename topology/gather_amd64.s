#include "textflag.h"

// func gatherLines(into *line, lines *line, tails *int32, n int)
//
// SSE2 and prefetching only, which every amd64 processor has.
TEXT ·gatherLines(SB), NOSPLIT, $0-32
	MOVQ into+0(FP), DI
	MOVQ lines+8(FP), SI
	MOVQ tails+16(FP), DX
	MOVQ n+24(FP), CX
	PXOR X0, X0
	PXOR X1, X1
	PXOR X2, X2
	PXOR X3, X3
	TESTQ CX, CX
	JZ   done

loop:
	MOVLQSX    (DX), AX
	MOVLQSX    128(DX), BX // gatherAhead tails on
	SHLQ       $6, AX
	SHLQ       $6, BX
	PREFETCHT0 (SI)(BX*1)
	MOVOU      (SI)(AX*1), X4
	MOVOU      16(SI)(AX*1), X5
	MOVOU      32(SI)(AX*1), X6
	MOVOU      48(SI)(AX*1), X7
	POR        X4, X0
	POR        X5, X1
	POR        X6, X2
	POR        X7, X3
	ADDQ       $4, DX
	DECQ       CX
	JNZ        loop

done:
	MOVOU X0, (DI)
	MOVOU X1, 16(DI)
	MOVOU X2, 32(DI)
	MOVOU X3, 48(DI)
	RET
