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

// func addProductAVX2(c, x, y *int32, rows, stride int)
TEXT ·addProductAVX2(SB), NOSPLIT, $0-40
	MOVQ c+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ rows+24(FP), CX
	MOVQ stride+32(FP), R8
	SHLQ $2, R8            // bytes of a row
	ADDQ R8, DX            // the end of y
	NEGQ R8

row:
	MOVL         (SI), AX
	SUBQ         R8, DI    // the end of the row
	TESTL        AX, AX
	JZ           next
	VPBROADCASTD (SI), Y0
	MOVQ         R8, R9

words:
	VPMULLD (DX)(R9*1), Y0, Y1
	VPADDD  (DI)(R9*1), Y1, Y1
	VMOVDQU Y1, (DI)(R9*1)
	ADDQ    $32, R9
	JNZ     words

next:
	ADDQ $4, SI
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

// The lanes of a word up to the n-th: n words on from the end, less n.
DATA lanes<>+0(SB)/8, $0xffffffffffffffff
DATA lanes<>+8(SB)/8, $0xffffffffffffffff
DATA lanes<>+16(SB)/8, $0xffffffffffffffff
DATA lanes<>+24(SB)/8, $0xffffffffffffffff
DATA lanes<>+32(SB)/8, $0
DATA lanes<>+40(SB)/8, $0
DATA lanes<>+48(SB)/8, $0
DATA lanes<>+56(SB)/8, $0
GLOBL lanes<>(SB), RODATA|NOPTR, $64

// func updateAVX2(d, x, y, least *int32, from, to, stride int)
TEXT ·updateAVX2(SB), NOSPLIT, $0-56
	MOVQ d+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), DX
	MOVQ least+24(FP), R12
	MOVQ from+32(FP), CX
	MOVQ to+40(FP), R10
	MOVQ stride+48(FP), R8
	SHLQ $2, R8
	MOVQ CX, AX
	IMULQ R8, AX
	ADDQ AX, DI            // the row
	LEAQ lanes<>+32(SB), R13
	VPCMPEQD Y7, Y7, Y7
	VPSRLD   $1, Y7, Y7    // the largest number

row:
	CMPQ         CX, R10
	JGE          done
	VPBROADCASTD (SI)(CX*4), Y0
	VPBROADCASTD (DX)(CX*4), Y1
	VMOVDQA      Y7, Y2
	MOVQ         CX, R11
	ANDQ         $~7, R11  // whole words
	XORQ         R9, R9
	CMPQ         R9, R11
	JGE          rest

words:
	VPSUBD  (SI)(R9*4), Y0, Y3
	VPSUBD  (DX)(R9*4), Y1, Y4
	VPMULLD Y3, Y4, Y3
	VMOVDQU (DI)(R9*4), Y5
	VPSUBD  Y3, Y5, Y5
	VMOVDQU Y5, (DI)(R9*4)
	VPMINSD Y5, Y2, Y2
	ADDQ    $8, R9
	CMPQ    R9, R11
	JLT     words

rest:
	MOVQ      CX, BX
	ANDQ      $7, BX
	JZ        least
	VPSUBD    (SI)(R9*4), Y0, Y3
	VPSUBD    (DX)(R9*4), Y1, Y4
	VPMULLD   Y3, Y4, Y3
	VMOVDQU   (DI)(R9*4), Y5
	VPSUBD    Y3, Y5, Y5
	VMOVDQU   Y5, (DI)(R9*4)
	SHLQ      $2, BX
	MOVQ      R13, AX
	SUBQ      BX, AX
	VMOVDQU   (AX), Y6     // ones in the lanes of the row
	VPBLENDVB Y6, Y5, Y7, Y5
	VPMINSD   Y5, Y2, Y2

least:
	VEXTRACTI128 $1, Y2, X3
	VPMINSD      X3, X2, X2
	VPSHUFD      $0x4e, X2, X3
	VPMINSD      X3, X2, X2
	VPSHUFD      $0xb1, X2, X3
	VPMINSD      X3, X2, X2
	VMOVD        X2, (R12)(CX*4)
	ADDQ         R8, DI
	INCQ         CX
	JMP          row

done:
	VZEROUPPER
	RET

// func firstBelowAVX2(row *int32, n int, limit int32) int
TEXT ·firstBelowAVX2(SB), NOSPLIT, $0-32
	MOVQ         row+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVL         limit+16(FP), AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	XORQ         AX, AX

words:
	VPCMPGTD  (DI)(AX*4), Y0, Y1
	VMOVMSKPS Y1, BX
	TESTL     BX, BX
	JNZ       found
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       words
	JMP       done

found:
	BSFL BX, BX
	ADDQ BX, AX

done:
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
