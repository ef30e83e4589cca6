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

// func distancesInLine(v, u *uint16, a, b uint16) int
TEXT ·distancesInLine(SB), NOSPLIT, $0-32
	MOVQ          v+0(FP), SI
	MOVQ          u+8(FP), DX
	VPBROADCASTW  a+16(FP), Z4
	VPBROADCASTW  b+18(FP), Z5
	VMOVDQU64     (SI), Z0
	VMOVDQU64     (DX), Z1
	VPSADBW       Z5, Z0, Z2
	VPSADBW       Z4, Z0, Z3
	VPSADBW       Z4, Z1, Z6
	VPSADBW       Z5, Z1, Z7
	VPADDQ        Z6, Z2, Z2
	VPADDQ        Z7, Z3, Z3
	VPSUBQ        Z3, Z2, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDQ        X1, X0, X0
	VPSHUFD       $0x4e, X0, X1
	VPADDQ        X1, X0, X0
	VMOVQ         X0, AX
	VZEROUPPER
	MOVQ          AX, ret+24(FP)
	RET
