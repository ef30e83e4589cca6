#include "go_asm.h"
#include "textflag.h"

// In all
// R8: keys of all vertices, R9: keys of the head, R10: its least arc back, R11: tails, R12: arcs, DI: heads left,
// R13: tails of a head, SI: arcs of the head, BX: tails left to look at, CX: tails left, AX: a tail

// func passAVX512(args *passArgs) bool
//
// Z0 to Z7: least keys of four heads; Z8, Z9: keys of a tail; Z10 to Z12: an arc and keys over it; Z30, Z31: greatest
// keys of all tails; K2: heads that may lead back sooner; DX, R14: one and three rows of arcs
TEXT ·passAVX512(SB), NOSPLIT, $0-9
	MOVQ args+0(FP), AX
	MOVQ passArgs_keys(AX), R8
	MOVQ passArgs_heads(AX), R9
	MOVQ passArgs_nearest(AX), R10
	MOVQ passArgs_tails(AX), R11
	MOVQ passArgs_arcs(AX), R12
	MOVQ passArgs_count(AX), DI
	MOVQ passArgs_degree(AX), R13

	KXORW     K2, K2, K2
	VPXORQ    Z30, Z30, Z30
	VPXORQ    Z31, Z31, Z31
	VPTERNLOGQ $0xff, Z20, Z20, Z20
	VPSRLQ    $1, Z20, Z20 // no key yet
	MOVQ      R11, BX
	MOVQ      R13, CX

most:
	MOVL    (BX), AX
	SHLQ    $7, AX
	VPMAXUQ (R8)(AX*1), Z30, Z30
	VPMAXUQ 64(R8)(AX*1), Z31, Z31
	ADDQ    $4, BX
	DECQ    CX
	JNZ     most

	LEAQ (R13*8), DX
	LEAQ (DX)(DX*2), R14

four:
	CMPQ      DI, $4
	JLT       one
	VMOVDQA64 Z20, Z0
	VMOVDQA64 Z20, Z1
	VMOVDQA64 Z20, Z2
	VMOVDQA64 Z20, Z3
	VMOVDQA64 Z20, Z4
	VMOVDQA64 Z20, Z5
	VMOVDQA64 Z20, Z6
	VMOVDQA64 Z20, Z7
	MOVQ      R12, SI
	MOVQ      R11, BX
	MOVQ      R13, CX

tail4:
	MOVL         (BX), AX
	SHLQ         $7, AX
	VMOVDQU64    (R8)(AX*1), Z8
	VMOVDQU64    64(R8)(AX*1), Z9
	VPBROADCASTQ (SI), Z10
	VPADDQ       Z8, Z10, Z11
	VPADDQ       Z9, Z10, Z12
	VPMINUQ      Z11, Z0, Z0
	VPMINUQ      Z12, Z1, Z1
	VPBROADCASTQ (SI)(DX*1), Z13
	VPADDQ       Z8, Z13, Z14
	VPADDQ       Z9, Z13, Z15
	VPMINUQ      Z14, Z2, Z2
	VPMINUQ      Z15, Z3, Z3
	VPBROADCASTQ (SI)(DX*2), Z10
	VPADDQ       Z8, Z10, Z11
	VPADDQ       Z9, Z10, Z12
	VPMINUQ      Z11, Z4, Z4
	VPMINUQ      Z12, Z5, Z5
	VPBROADCASTQ (SI)(R14*1), Z13
	VPADDQ       Z8, Z13, Z14
	VPADDQ       Z9, Z13, Z15
	VPMINUQ      Z14, Z6, Z6
	VPMINUQ      Z15, Z7, Z7
	ADDQ         $4, BX
	ADDQ         $8, SI
	DECQ         CX
	JNZ          tail4

	VPBROADCASTQ (R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z0, K1
	KORW         K1, K2, K2
	VPCMPQ       $1, Z12, Z1, K1
	KORW         K1, K2, K2
	VPBROADCASTQ 8(R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z2, K1
	KORW         K1, K2, K2
	VPCMPQ       $1, Z12, Z3, K1
	KORW         K1, K2, K2
	VPBROADCASTQ 16(R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z4, K1
	KORW         K1, K2, K2
	VPCMPQ       $1, Z12, Z5, K1
	KORW         K1, K2, K2
	VPBROADCASTQ 24(R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z6, K1
	KORW         K1, K2, K2
	VPCMPQ       $1, Z12, Z7, K1
	KORW         K1, K2, K2

	VMOVDQU64 Z0, (R9)
	VMOVDQU64 Z1, 64(R9)
	VMOVDQU64 Z2, 128(R9)
	VMOVDQU64 Z3, 192(R9)
	VMOVDQU64 Z4, 256(R9)
	VMOVDQU64 Z5, 320(R9)
	VMOVDQU64 Z6, 384(R9)
	VMOVDQU64 Z7, 448(R9)
	ADDQ      $512, R9
	ADDQ      $32, R10
	LEAQ      (R12)(DX*4), R12
	SUBQ      $4, DI
	JMP       four

one:
	TESTQ     DI, DI
	JZ        done
	VMOVDQA64 Z20, Z0
	VMOVDQA64 Z20, Z1
	MOVQ      R11, BX
	MOVQ      R13, CX

tail1:
	MOVL         (BX), AX
	SHLQ         $7, AX
	VPBROADCASTQ (R12), Z10
	VPADDQ       (R8)(AX*1), Z10, Z11
	VPADDQ       64(R8)(AX*1), Z10, Z12
	VPMINUQ      Z11, Z0, Z0
	VPMINUQ      Z12, Z1, Z1
	ADDQ         $4, BX
	ADDQ         $8, R12
	DECQ         CX
	JNZ          tail1

	VPBROADCASTQ (R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z0, K1
	KORW         K1, K2, K2
	VPCMPQ       $1, Z12, Z1, K1
	KORW         K1, K2, K2
	VMOVDQU64    Z0, (R9)
	VMOVDQU64    Z1, 64(R9)
	ADDQ         $128, R9
	ADDQ         $8, R10
	DECQ         DI
	JMP          one

done:
	KMOVW K2, AX
	TESTL AX, AX
	SETNE ret+8(FP)
	VZEROUPPER
	RET

// func passAVX2(args *passArgs) bool
//
// Y0 to Y3: least keys of a head; Y4: an arc; Y5 to Y8: keys over it; Y9: which are less; Y12 to Y15: greatest keys of
// all tails; Y10: heads that may lead back sooner; Y11: no key yet
TEXT ·passAVX2(SB), NOSPLIT, $0-9
	MOVQ args+0(FP), AX
	MOVQ passArgs_keys(AX), R8
	MOVQ passArgs_heads(AX), R9
	MOVQ passArgs_nearest(AX), R10
	MOVQ passArgs_tails(AX), R11
	MOVQ passArgs_arcs(AX), R12
	MOVQ passArgs_count(AX), DI
	MOVQ passArgs_degree(AX), R13

	VPXOR    Y10, Y10, Y10
	VPXOR    Y12, Y12, Y12
	VPXOR    Y13, Y13, Y13
	VPXOR    Y14, Y14, Y14
	VPXOR    Y15, Y15, Y15
	VPCMPEQQ Y11, Y11, Y11
	VPSRLQ   $1, Y11, Y11
	MOVQ     R11, BX
	MOVQ     R13, CX

most:
	MOVL      (BX), AX
	SHLQ      $7, AX
	VMOVDQU   (R8)(AX*1), Y5
	VMOVDQU   32(R8)(AX*1), Y6
	VMOVDQU   64(R8)(AX*1), Y7
	VMOVDQU   96(R8)(AX*1), Y8
	VPCMPGTQ  Y12, Y5, Y9
	VBLENDVPD Y9, Y5, Y12, Y12
	VPCMPGTQ  Y13, Y6, Y9
	VBLENDVPD Y9, Y6, Y13, Y13
	VPCMPGTQ  Y14, Y7, Y9
	VBLENDVPD Y9, Y7, Y14, Y14
	VPCMPGTQ  Y15, Y8, Y9
	VBLENDVPD Y9, Y8, Y15, Y15
	ADDQ      $4, BX
	DECQ      CX
	JNZ       most

head:
	VMOVDQA Y11, Y0
	VMOVDQA Y11, Y1
	VMOVDQA Y11, Y2
	VMOVDQA Y11, Y3
	MOVQ    R11, BX
	MOVQ    R13, CX

tail:
	MOVL         (BX), AX
	SHLQ         $7, AX
	VPBROADCASTQ (R12), Y4
	VPADDQ       (R8)(AX*1), Y4, Y5
	VPADDQ       32(R8)(AX*1), Y4, Y6
	VPADDQ       64(R8)(AX*1), Y4, Y7
	VPADDQ       96(R8)(AX*1), Y4, Y8
	VPCMPGTQ     Y5, Y0, Y9
	VBLENDVPD    Y9, Y5, Y0, Y0
	VPCMPGTQ     Y6, Y1, Y9
	VBLENDVPD    Y9, Y6, Y1, Y1
	VPCMPGTQ     Y7, Y2, Y9
	VBLENDVPD    Y9, Y7, Y2, Y2
	VPCMPGTQ     Y8, Y3, Y9
	VBLENDVPD    Y9, Y8, Y3, Y3
	ADDQ         $4, BX
	ADDQ         $8, R12
	DECQ         CX
	JNZ          tail

	VPBROADCASTQ (R10), Y4
	VPSUBQ       Y4, Y12, Y5
	VPSUBQ       Y4, Y13, Y6
	VPSUBQ       Y4, Y14, Y7
	VPSUBQ       Y4, Y15, Y8
	VPCMPGTQ     Y0, Y5, Y5
	VPCMPGTQ     Y1, Y6, Y6
	VPCMPGTQ     Y2, Y7, Y7
	VPCMPGTQ     Y3, Y8, Y8
	VPOR         Y5, Y10, Y10
	VPOR         Y6, Y10, Y10
	VPOR         Y7, Y10, Y10
	VPOR         Y8, Y10, Y10
	VMOVDQU      Y0, (R9)
	VMOVDQU      Y1, 32(R9)
	VMOVDQU      Y2, 64(R9)
	VMOVDQU      Y3, 96(R9)
	ADDQ         $128, R9
	ADDQ         $8, R10
	DECQ         DI
	JNZ          head

	VPTEST Y10, Y10
	SETNE  ret+8(FP)
	VZEROUPPER
	RET

// func backAVX512(args *passArgs) bool
//
// Z0, Z1: keys of a head; Z10 to Z12: an arc and keys over it; Z30, Z31: greatest keys of all tails; K2: arcs that lead
// sooner
TEXT ·backAVX512(SB), NOSPLIT, $0-9
	MOVQ args+0(FP), AX
	MOVQ passArgs_keys(AX), R8
	MOVQ passArgs_heads(AX), R9
	MOVQ passArgs_nearest(AX), R10
	MOVQ passArgs_tails(AX), R11
	MOVQ passArgs_arcs(AX), R12
	MOVQ passArgs_count(AX), DI
	MOVQ passArgs_degree(AX), R13

	KXORW  K2, K2, K2
	VPXORQ Z30, Z30, Z30
	VPXORQ Z31, Z31, Z31
	MOVQ   R11, BX
	MOVQ   R13, CX

most:
	MOVL    (BX), AX
	SHLQ    $7, AX
	VPMAXUQ (R8)(AX*1), Z30, Z30
	VPMAXUQ 64(R8)(AX*1), Z31, Z31
	ADDQ    $4, BX
	DECQ    CX
	JNZ     most

head:
	VMOVDQU64    (R9), Z0
	VMOVDQU64    64(R9), Z1
	VPBROADCASTQ (R10), Z10
	VPSUBQ       Z10, Z30, Z11
	VPSUBQ       Z10, Z31, Z12
	VPCMPQ       $1, Z11, Z0, K1
	VPCMPQ       $1, Z12, Z1, K3
	KORTESTW     K1, K3
	JZ           next
	MOVQ         R12, SI
	MOVQ         R11, BX
	MOVQ         R13, CX

tail:
	MOVL         (BX), AX
	SHLQ         $7, AX
	VPBROADCASTQ (SI), Z10
	VPADDQ       Z0, Z10, Z11
	VPADDQ       Z1, Z10, Z12
	VPCMPUQ      $1, (R8)(AX*1), Z11, K1
	VPCMPUQ      $1, 64(R8)(AX*1), Z12, K3
	KORW         K1, K2, K2
	KORW         K3, K2, K2
	ADDQ         $4, BX
	ADDQ         $8, SI
	DECQ         CX
	JNZ          tail

next:
	LEAQ (R12)(R13*8), R12
	ADDQ $128, R9
	ADDQ $8, R10
	DECQ DI
	JNZ  head

	KMOVW K2, AX
	TESTL AX, AX
	SETNE ret+8(FP)
	VZEROUPPER
	RET

// func backAVX2(args *passArgs) bool
//
// Y0 to Y3: keys of a head; Y4: an arc; Y5 to Y8: keys over it; Y12 to Y15: greatest keys of all tails; Y9: scratch;
// Y10: arcs that lead sooner
TEXT ·backAVX2(SB), NOSPLIT, $0-9
	MOVQ args+0(FP), AX
	MOVQ passArgs_keys(AX), R8
	MOVQ passArgs_heads(AX), R9
	MOVQ passArgs_nearest(AX), R10
	MOVQ passArgs_tails(AX), R11
	MOVQ passArgs_arcs(AX), R12
	MOVQ passArgs_count(AX), DI
	MOVQ passArgs_degree(AX), R13

	VPXOR Y10, Y10, Y10
	VPXOR Y12, Y12, Y12
	VPXOR Y13, Y13, Y13
	VPXOR Y14, Y14, Y14
	VPXOR Y15, Y15, Y15
	MOVQ  R11, BX
	MOVQ  R13, CX

most:
	MOVL      (BX), AX
	SHLQ      $7, AX
	VMOVDQU   (R8)(AX*1), Y5
	VMOVDQU   32(R8)(AX*1), Y6
	VMOVDQU   64(R8)(AX*1), Y7
	VMOVDQU   96(R8)(AX*1), Y8
	VPCMPGTQ  Y12, Y5, Y9
	VBLENDVPD Y9, Y5, Y12, Y12
	VPCMPGTQ  Y13, Y6, Y9
	VBLENDVPD Y9, Y6, Y13, Y13
	VPCMPGTQ  Y14, Y7, Y9
	VBLENDVPD Y9, Y7, Y14, Y14
	VPCMPGTQ  Y15, Y8, Y9
	VBLENDVPD Y9, Y8, Y15, Y15
	ADDQ      $4, BX
	DECQ      CX
	JNZ       most

head:
	VMOVDQU      (R9), Y0
	VMOVDQU      32(R9), Y1
	VMOVDQU      64(R9), Y2
	VMOVDQU      96(R9), Y3
	VPBROADCASTQ (R10), Y4
	VPSUBQ       Y4, Y12, Y5
	VPSUBQ       Y4, Y13, Y6
	VPSUBQ       Y4, Y14, Y7
	VPSUBQ       Y4, Y15, Y8
	VPCMPGTQ     Y0, Y5, Y5
	VPCMPGTQ     Y1, Y6, Y6
	VPCMPGTQ     Y2, Y7, Y7
	VPCMPGTQ     Y3, Y8, Y8
	VPOR         Y5, Y6, Y5
	VPOR         Y7, Y8, Y7
	VPOR         Y5, Y7, Y5
	VPTEST       Y5, Y5
	JZ           next
	MOVQ         R12, SI
	MOVQ         R11, BX
	MOVQ         R13, CX

tail:
	MOVL         (BX), AX
	SHLQ         $7, AX
	VPBROADCASTQ (SI), Y4
	VPADDQ       Y0, Y4, Y5
	VMOVDQU      (R8)(AX*1), Y9
	VPCMPGTQ     Y5, Y9, Y5
	VPADDQ       Y1, Y4, Y6
	VMOVDQU      32(R8)(AX*1), Y9
	VPCMPGTQ     Y6, Y9, Y6
	VPADDQ       Y2, Y4, Y7
	VMOVDQU      64(R8)(AX*1), Y9
	VPCMPGTQ     Y7, Y9, Y7
	VPADDQ       Y3, Y4, Y8
	VMOVDQU      96(R8)(AX*1), Y9
	VPCMPGTQ     Y8, Y9, Y8
	VPOR         Y5, Y10, Y10
	VPOR         Y6, Y10, Y10
	VPOR         Y7, Y10, Y10
	VPOR         Y8, Y10, Y10
	ADDQ         $4, BX
	ADDQ         $8, SI
	DECQ         CX
	JNZ          tail

next:
	LEAQ (R12)(R13*8), R12
	ADDQ $128, R9
	ADDQ $8, R10
	DECQ DI
	JNZ  head

	VPTEST Y10, Y10
	SETNE  ret+8(FP)
	VZEROUPPER
	RET
