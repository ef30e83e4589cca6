#include "go_asm.h"
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

// func differencesAVX2(flowR, flowS, nearR, nearS *int16, flow, distance *int32, n int) int
TEXT ·differencesAVX2(SB), NOSPLIT, $0-64
	MOVQ  flowR+0(FP), DI
	MOVQ  flowS+8(FP), SI
	MOVQ  nearR+16(FP), DX
	MOVQ  nearS+24(FP), R8
	MOVQ  flow+32(FP), R9
	MOVQ  distance+40(FP), R10
	MOVQ  n+48(FP), CX
	MOVQ  CX, R11          // less those that are equal
	VPXOR Y7, Y7, Y7
	XORQ  AX, AX

loop:
	VPMOVSXWD (DI)(AX*2), Y0
	VPMOVSXWD (SI)(AX*2), Y1
	VPMOVSXWD (R8)(AX*2), Y2
	VPMOVSXWD (DX)(AX*2), Y3
	VPSUBD    Y1, Y0, Y0
	VPSUBD    Y3, Y2, Y2
	VMOVDQU   Y0, (R9)(AX*4)
	VMOVDQU   Y2, (R10)(AX*4)
	VPCMPEQD  Y0, Y7, Y0
	VMOVMSKPS Y0, BX
	POPCNTL   BX, BX
	SUBQ      BX, R11
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       loop
	MOVQ      R11, ret+56(FP)
	VZEROUPPER
	RET

// func sumBothAVX2(near, flow, nearR, flowR *int16, both *int32, rows, stride int)
TEXT ·sumBothAVX2(SB), NOSPLIT, $0-56
	MOVQ near+0(FP), DI
	MOVQ flow+8(FP), BX
	MOVQ nearR+16(FP), DX
	MOVQ flowR+24(FP), AX
	MOVQ both+32(FP), SI
	MOVQ rows+40(FP), CX
	MOVQ stride+48(FP), R9
	SHLQ $1, R9            // bytes of a row
	SUBQ DI, BX            // from near to flow
	ADDQ R9, DI            // ends of rows
	ADDQ R9, DX
	ADDQ R9, AX
	MOVQ R9, R8
	NEGQ R8
	ADDQ R8, BX

rows:
	LEAQ  (DI)(R9*1), R10
	LEAQ  (DI)(R9*2), R11
	LEAQ  (R10)(R9*2), R12
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	MOVQ  R8, R13
	MOVQ  BX, R15

words:
	VMOVDQU  (AX)(R13*1), Y0
	VMOVDQU  (DX)(R13*1), Y1
	VPMADDWD (DI)(R13*1), Y0, Y6
	VPMADDWD (DI)(R15*1), Y1, Y7
	VPMADDWD (R10)(R13*1), Y0, Y8
	VPMADDWD (R10)(R15*1), Y1, Y9
	VPMADDWD (R11)(R13*1), Y0, Y10
	VPMADDWD (R11)(R15*1), Y1, Y11
	VPMADDWD (R12)(R13*1), Y0, Y12
	VPMADDWD (R12)(R15*1), Y1, Y13
	VPADDD   Y6, Y2, Y2
	VPADDD   Y8, Y3, Y3
	VPADDD   Y10, Y4, Y4
	VPADDD   Y12, Y5, Y5
	VPADDD   Y7, Y2, Y2
	VPADDD   Y9, Y3, Y3
	VPADDD   Y11, Y4, Y4
	VPADDD   Y13, Y5, Y5
	ADDQ     $32, R15
	ADDQ     $32, R13
	JNZ      words

	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y4, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPADDD       X3, X2, X2
	VMOVDQU      X2, (SI)
	ADDQ         $16, SI
	LEAQ         (DI)(R9*4), DI
	SUBQ         $4, CX
	JNZ          rows
	VZEROUPPER
	RET

// func renewAVX2(n *renewal)
TEXT ·renewAVX2(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), AX
	MOVQ renewal_both(AX), DI
	MOVQ renewal_before(AX), SI
	MOVQ renewal_own(AX), DX
	MOVQ renewal_flow(AX), BX
	MOVQ renewal_distance(AX), R8
	MOVQ renewal_flowR(AX), R9
	MOVQ renewal_flowS(AX), R10
	MOVQ renewal_nearR(AX), R11
	MOVQ renewal_nearS(AX), R12
	MOVQ renewal_anewR(AX), R13
	MOVQ renewal_anewS(AX), R15
	MOVQ renewal_n(AX), CX
	VPBROADCASTD renewal_ownR(AX), Y0
	VPBROADCASTD renewal_cost(AX), Y1
	VPSUBD Y1, Y0, Y1       // own - cost
	XORQ AX, AX

loop:
	VMOVDQU   (DX)(AX*4), Y2 // own of others
	VMOVDQU   (DI)(AX*4), Y3 // both
	VPMOVSXWD (R9)(AX*2), Y4
	VPMOVSXWD (R10)(AX*2), Y5
	VPMOVSXWD (R11)(AX*2), Y6
	VPMOVSXWD (R12)(AX*2), Y7
	VPMULLD   Y6, Y4, Y8     // flowR nearR
	VPADDD    Y8, Y8, Y8
	VPADDD    Y3, Y8, Y8
	VPSUBD    Y0, Y8, Y8
	VPSUBD    Y2, Y8, Y8
	VMOVDQU   Y8, (R13)(AX*4)
	VPMULLD   Y7, Y4, Y4     // flowR nearS
	VPSUBD    Y6, Y7, Y7
	VPMULLD   Y7, Y5, Y5     // flowS (nearS - nearR)
	VPSUBD    Y4, Y5, Y5
	VPADDD    Y5, Y5, Y5
	VPADDD    (SI)(AX*4), Y5, Y5
	VPSUBD    Y3, Y5, Y5
	VPADDD    Y2, Y5, Y5
	VPADDD    Y1, Y5, Y5
	VMOVDQU   Y5, (R15)(AX*4)
	VMOVDQU   (BX)(AX*4), Y9
	VPMULLD   (R8)(AX*4), Y9, Y9
	VPADDD    Y9, Y2, Y2
	VMOVDQU   Y2, (DX)(AX*4)
	ADDQ      $8, AX
	CMPQ      AX, CX
	JLT       loop
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

// func belowAVX2(row *int32, n int, limit int32) uint64
TEXT ·belowAVX2(SB), NOSPLIT, $0-32
	MOVQ         row+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVL         limit+16(FP), AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	XORQ         AX, AX
	XORQ         DX, DX

words:
	VPCMPGTD  (DI)(DX*4), Y0, Y1
	VMOVMSKPS Y1, BX
	SHRQ      $8, AX
	SHLQ      $56, BX
	ORQ       BX, AX
	ADDQ      $8, DX
	CMPQ      DX, CX
	JLT       words

	NEGQ DX              // the first bit comes down to the lowest
	MOVQ DX, CX
	SHRQ CX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

// func leastAVX2(row *int32, n int) int32
TEXT ·leastAVX2(SB), NOSPLIT, $0-20
	MOVQ    row+0(FP), DI
	MOVQ    n+8(FP), CX
	VMOVDQU (DI), Y0
	MOVQ    $8, AX
	JMP     test

words:
	VPMINSD (DI)(AX*4), Y0, Y0
	ADDQ    $8, AX

test:
	CMPQ         AX, CX
	JLT          words
	VEXTRACTI128 $1, Y0, X1
	VPMINSD      X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMINSD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMINSD      X1, X0, X0
	VMOVD        X0, AX
	MOVL         AX, ret+16(FP)
	VZEROUPPER
	RET
