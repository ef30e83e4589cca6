#include "go_asm.h"
#include "textflag.h"

// In all of these
// R8: lines gathered, R9: offset of the vertex's line, R10: its next line or first vertex, R12: in, R13: to,
// DI: vertices left, SI: tails of the vertex, CX: tails left

// func advanceAVX2(args *stepArgs) stepped
//
// Y0, Y1: union of the lines; Y2, Y3: full; Y4, Y5: the line before; R11: degree
TEXT ·advanceAVX2(SB), NOSPLIT, $64-32
	MOVQ    args+0(FP), AX
	MOVQ    stepArgs_now(AX), R8
	MOVQ    stepArgs_next(AX), R10
	MOVQ    stepArgs_full(AX), CX
	VMOVDQU (CX), Y2
	VMOVDQU 32(CX), Y3
	MOVQ    stepArgs_in(AX), R12
	MOVQ    stepArgs_to(AX), R13
	MOVQ    stepArgs_n(AX), DI
	MOVQ    stepArgs_begin(AX), R9
	SHLQ    $6, R9
	VPXOR   Y15, Y15, Y15
	MOVQ    $0, ret_reached+8(FP)
	MOVQ    $0, ret_lacking+16(FP)
	MOVQ    $0, ret_work+24(FP)

vertex:
	VMOVDQU (R8)(R9*1), Y4
	VMOVDQU 32(R8)(R9*1), Y5
	VPANDN  Y2, Y4, Y0
	VPANDN  Y3, Y5, Y1
	VPOR    Y0, Y1, Y0
	VPTEST  Y0, Y0
	JZ      nothing

	MOVQ    (R12), AX
	MOVQ    8(R12), CX
	LEAQ    (R13)(AX*4), SI
	VMOVDQU Y4, Y0
	VMOVDQU Y5, Y1
	SUBQ    AX, CX
	MOVQ    CX, R11
	JZ      union

tail:
	MOVLQSX    (SI), AX
	MOVLQSX    128(SI), BX // arcsAhead
	SHLQ       $6, AX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)
	VPOR       (R8)(AX*1), Y0, Y0
	VPOR       32(R8)(AX*1), Y1, Y1
	ADDQ       $4, SI
	DECQ       CX
	JNZ        tail

union:
	VMOVDQU Y0, (R10)(R9*1)
	VMOVDQU Y1, 32(R10)(R9*1)
	VPANDN  Y2, Y0, Y6
	VPANDN  Y3, Y1, Y7
	VMOVDQU Y6, lack-64(SP)
	VMOVDQU Y7, lack-32(SP)

	POPCNTQ lack-64(SP), AX
	POPCNTQ lack-56(SP), BX
	POPCNTQ lack-48(SP), CX
	POPCNTQ lack-40(SP), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	ADDQ    CX, AX
	POPCNTQ lack-32(SP), BX
	POPCNTQ lack-24(SP), CX
	POPCNTQ lack-16(SP), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	POPCNTQ lack-8(SP), BX
	ADDQ    CX, AX
	ADDQ    BX, AX
	ADDQ    AX, ret_lacking+16(FP)

	VPXOR     Y0, Y4, Y0
	VPXOR     Y1, Y5, Y1
	VPCMPEQQ  Y0, Y15, Y6
	VPCMPEQQ  Y1, Y15, Y7
	VMOVMSKPD Y6, AX
	VMOVMSKPD Y7, BX
	SHLL      $4, BX
	ORL       BX, AX
	XORL      $0xff, AX
	JZ        next
	POPCNTL   AX, AX
	IMULQ     R11, AX
	ADDQ      AX, ret_work+24(FP)

	VMOVDQU Y0, lack-64(SP)
	VMOVDQU Y1, lack-32(SP)
	POPCNTQ lack-64(SP), AX
	POPCNTQ lack-56(SP), BX
	POPCNTQ lack-48(SP), CX
	POPCNTQ lack-40(SP), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	ADDQ    CX, AX
	POPCNTQ lack-32(SP), BX
	POPCNTQ lack-24(SP), CX
	POPCNTQ lack-16(SP), DX
	ADDQ    BX, AX
	ADDQ    DX, CX
	POPCNTQ lack-8(SP), BX
	ADDQ    CX, AX
	ADDQ    BX, AX
	ADDQ    AX, ret_reached+8(FP)
	JMP     next

nothing:
	VMOVDQU Y4, (R10)(R9*1)
	VMOVDQU Y5, 32(R10)(R9*1)

next:
	ADDQ $64, R9
	ADDQ $8, R12
	DECQ DI
	JNZ  vertex

	VZEROUPPER
	RET

// func advanceAVX512(args *stepArgs) stepped
//
// Z0: union of the lines; Z2: full; Z4: the line before; Z13: counts of what is lacking; Z14: of what is new;
// R11: degree; DX: work
TEXT ·advanceAVX512(SB), NOSPLIT, $64-32
	MOVQ      args+0(FP), AX
	MOVQ      stepArgs_now(AX), R8
	MOVQ      stepArgs_next(AX), R10
	MOVQ      stepArgs_full(AX), CX
	VMOVDQU64 (CX), Z2
	MOVQ      stepArgs_in(AX), R12
	MOVQ      stepArgs_to(AX), R13
	MOVQ      stepArgs_n(AX), DI
	MOVQ      stepArgs_begin(AX), R9
	SHLQ      $6, R9
	VPXORQ    Z13, Z13, Z13
	VPXORQ    Z14, Z14, Z14
	XORQ      DX, DX

vertex:
	VMOVDQU64 (R8)(R9*1), Z4
	VPANDNQ   Z2, Z4, Z0
	VPTESTMQ  Z0, Z0, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	JZ        nothing

	MOVQ      (R12), AX
	MOVQ      8(R12), CX
	LEAQ      (R13)(AX*4), SI
	VMOVDQA64 Z4, Z0
	SUBQ      AX, CX
	MOVQ      CX, R11
	JZ        union

tail:
	MOVLQSX    (SI), AX
	MOVLQSX    128(SI), BX // arcsAhead
	SHLQ       $6, AX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)
	VPORQ      (R8)(AX*1), Z0, Z0
	ADDQ       $4, SI
	DECQ       CX
	JNZ        tail

union:
	VMOVDQU64 Z0, (R10)(R9*1)
	VPANDNQ   Z2, Z0, Z5
	VPXORQ    Z0, Z4, Z6
	VPOPCNTQ  Z5, Z5
	VPOPCNTQ  Z6, Z7
	VPTESTMQ  Z6, Z6, K1
	VPADDQ    Z5, Z13, Z13
	VPADDQ    Z7, Z14, Z14
	KMOVW     K1, AX
	POPCNTL   AX, AX
	IMULQ     R11, AX
	ADDQ      AX, DX
	JMP       next

nothing:
	VMOVDQU64 Z4, (R10)(R9*1)

next:
	ADDQ $64, R9
	ADDQ $8, R12
	DECQ DI
	JNZ  vertex

	MOVQ      DX, ret_work+24(FP)
	VMOVDQU64 Z14, counts-64(SP)
	MOVQ      counts-64(SP), AX
	ADDQ      counts-56(SP), AX
	ADDQ      counts-48(SP), AX
	ADDQ      counts-40(SP), AX
	ADDQ      counts-32(SP), AX
	ADDQ      counts-24(SP), AX
	ADDQ      counts-16(SP), AX
	ADDQ      counts-8(SP), AX
	MOVQ      AX, ret_reached+8(FP)
	VMOVDQU64 Z13, counts-64(SP)
	MOVQ      counts-64(SP), AX
	ADDQ      counts-56(SP), AX
	ADDQ      counts-48(SP), AX
	ADDQ      counts-40(SP), AX
	ADDQ      counts-32(SP), AX
	ADDQ      counts-24(SP), AX
	ADDQ      counts-16(SP), AX
	ADDQ      counts-8(SP), AX
	MOVQ      AX, ret_lacking+16(FP)
	VZEROUPPER
	RET

// func uncoveredAVX2(args *stepArgs) int
//
// Y0, Y1: what is lacking; Y2, Y3: full; R10: begin; R11: rows; DX: the vertex; SI: the tail after the next one
TEXT ·uncoveredAVX2(SB), NOSPLIT, $0-16
	MOVQ    args+0(FP), AX
	MOVQ    stepArgs_next(AX), R8
	MOVQ    stepArgs_full(AX), CX
	VMOVDQU (CX), Y2
	VMOVDQU 32(CX), Y3
	MOVQ    stepArgs_in(AX), R12
	MOVQ    stepArgs_to(AX), R13
	MOVQ    stepArgs_n(AX), DI
	MOVQ    stepArgs_begin(AX), R10
	MOVQ    stepArgs_rows(AX), R11
	MOVQ    R10, DX
	MOVQ    R10, R9
	SHLQ    $6, R9

vertex:
	MOVQ       72(R12), BX // rowsAhead
	DECQ       BX
	JS         here
	MOVLQSX    (R13)(BX*4), BX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)

here:
	VMOVDQU (R8)(R9*1), Y4
	VMOVDQU 32(R8)(R9*1), Y5
	VPANDN  Y2, Y4, Y0
	VPANDN  Y3, Y5, Y1
	VPOR    Y0, Y1, Y4
	VPTEST  Y4, Y4
	JZ      next
	MOVQ    8(R12), CX
	LEAQ    (R13)(CX*4), SI
	SUBQ    (R12), CX
	JZ      lacks

tail:
	SUBQ    $4, SI
	MOVLQSX (SI), AX
	CMPQ    AX, R10
	JLT     before
	SHLQ    $6, AX
	VMOVDQU (R8)(AX*1), Y4
	VMOVDQU 32(R8)(AX*1), Y5
	VPANDN  Y0, Y4, Y0
	VPANDN  Y1, Y5, Y1
	VPOR    Y0, Y1, Y4
	VPTEST  Y4, Y4
	JZ      next

before:
	DECQ CX
	JNZ  tail

lacks:
	MOVL DX, (R11)
	ADDQ $4, R11

next:
	ADDQ $64, R9
	ADDQ $8, R12
	INCQ DX
	DECQ DI
	JNZ  vertex

	MOVQ args+0(FP), AX
	SUBQ stepArgs_rows(AX), R11
	SHRQ $2, R11
	MOVQ R11, ret+8(FP)
	VZEROUPPER
	RET

// func uncoveredAVX512(args *stepArgs) int
//
// Z0: what is lacking; Z2: full; the others as above
TEXT ·uncoveredAVX512(SB), NOSPLIT, $0-16
	MOVQ      args+0(FP), AX
	MOVQ      stepArgs_next(AX), R8
	MOVQ      stepArgs_full(AX), CX
	VMOVDQU64 (CX), Z2
	MOVQ      stepArgs_in(AX), R12
	MOVQ      stepArgs_to(AX), R13
	MOVQ      stepArgs_n(AX), DI
	MOVQ      stepArgs_begin(AX), R10
	MOVQ      stepArgs_rows(AX), R11
	MOVQ      R10, DX
	MOVQ      R10, R9
	SHLQ      $6, R9

vertex:
	MOVQ       72(R12), BX // rowsAhead
	DECQ       BX
	JS         here
	MOVLQSX    (R13)(BX*4), BX
	SHLQ       $6, BX
	PREFETCHT0 (R8)(BX*1)

here:
	VMOVDQU64 (R8)(R9*1), Z4
	VPANDNQ   Z2, Z4, Z0
	VPTESTMQ  Z0, Z0, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	JZ        next
	MOVQ      8(R12), CX
	LEAQ      (R13)(CX*4), SI
	SUBQ      (R12), CX
	JZ        lacks

tail:
	SUBQ      $4, SI
	MOVLQSX   (SI), AX
	CMPQ      AX, R10
	JLT       before
	SHLQ      $6, AX
	VMOVDQU64 (R8)(AX*1), Z4
	VPANDNQ   Z0, Z4, Z0
	VPTESTMQ  Z0, Z0, K1
	KMOVW     K1, AX
	TESTL     AX, AX
	JZ        next

before:
	DECQ CX
	JNZ  tail

lacks:
	MOVL DX, (R11)
	ADDQ $4, R11

next:
	ADDQ $64, R9
	ADDQ $8, R12
	INCQ DX
	DECQ DI
	JNZ  vertex

	MOVQ args+0(FP), AX
	SUBQ stepArgs_rows(AX), R11
	SHRQ $2, R11
	MOVQ R11, ret+8(FP)
	VZEROUPPER
	RET
