#include "textflag.h"

// func distances(v, u []uint16, a, b uint16) int
TEXT ·distances(SB), NOSPLIT, $0-64
	MOVQ       v_base+0(FP), SI
	MOVQ       v_len+8(FP), CX
	MOVQ       u_base+24(FP), DX
	MOVQ       u_len+32(FP), BX
	MOVWLZX    a+48(FP), AX
	MOVQ       AX, X4
	PSHUFLW    $0, X4, X4
	PUNPCKLQDQ X4, X4
	MOVWLZX    b+50(FP), AX
	MOVQ       AX, X5
	PSHUFLW    $0, X5, X5
	PUNPCKLQDQ X5, X5
	PXOR       X0, X0

	TESTQ CX, CX
	JZ    others

words:
	MOVOU  (SI), X1
	MOVO   X1, X2
	PSADBW X5, X1
	PSADBW X4, X2
	PADDQ  X1, X0
	PSUBQ  X2, X0
	ADDQ   $16, SI
	SUBQ   $8, CX
	JNZ    words

others:
	TESTQ BX, BX
	JZ    sum

back:
	MOVOU  (DX), X1
	MOVO   X1, X2
	PSADBW X5, X1
	PSADBW X4, X2
	PSUBQ  X1, X0
	PADDQ  X2, X0
	ADDQ   $16, DX
	SUBQ   $8, BX
	JNZ    back

sum:
	MOVO       X0, X1
	PUNPCKHQDQ X1, X1
	PADDQ      X1, X0
	MOVQ       X0, AX
	MOVQ       AX, ret+56(FP)
	RET
