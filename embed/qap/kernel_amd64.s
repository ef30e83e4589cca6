#include "textflag.h"

// func addScaledAVX2(row, y *int64, n int, x int64)
TEXT ·addScaledAVX2(SB), NOSPLIT, $0-32
	MOVQ         row+0(FP), DI
	MOVQ         y+8(FP), SI
	MOVQ         n+16(FP), CX
	VPBROADCASTQ x+24(FP), Y0

loop:
	VPMULDQ (SI), Y0, Y1
	VPADDQ  (DI), Y1, Y1
	VMOVDQU Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $4, CX
	JNZ     loop
	VZEROUPPER
	RET

// func subtractAVX2(row, x, y *int64, n int, xu, yu, low int64) int64
TEXT ·subtractAVX2(SB), NOSPLIT, $0-64
	MOVQ         row+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         y+16(FP), DX
	MOVQ         n+24(FP), CX
	VPBROADCASTQ xu+32(FP), Y0
	VPBROADCASTQ yu+40(FP), Y1
	VPBROADCASTQ low+48(FP), Y2

loop:
	VPSUBQ    (SI), Y0, Y3
	VPSUBQ    (DX), Y1, Y4
	VPMULDQ   Y3, Y4, Y3
	VMOVDQU   (DI), Y5
	VPSUBQ    Y3, Y5, Y5
	VMOVDQU   Y5, (DI)
	VPCMPGTQ  Y5, Y2, Y6
	VPBLENDVB Y6, Y5, Y2, Y2
	ADDQ      $32, SI
	ADDQ      $32, DX
	ADDQ      $32, DI
	SUBQ      $4, CX
	JNZ       loop

	VEXTRACTI128 $1, Y2, X3
	VPCMPGTQ     X3, X2, X6
	VPBLENDVB    X6, X3, X2, X2
	VPSHUFD      $0x4e, X2, X3
	VPCMPGTQ     X3, X2, X6
	VPBLENDVB    X6, X3, X2, X2
	VMOVQ        X2, AX
	MOVQ         AX, ret+56(FP)
	VZEROUPPER
	RET
